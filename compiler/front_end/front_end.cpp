#include "compiler/front_end/front_end.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "compiler/front_end/declaration_check.h"
#include "compiler/front_end/embedded_files.h"
#include "compiler/front_end/microengine_target.h"
#include "compiler/front_end/packed_members.h"
#include "compiler/front_end/recorded_files.h"
#include "compiler/front_end/system_headers.h"
#include "compiler/front_end/waiting_loops.h"
#include "compiler/transforms/CheckProgram.h"
#include "isa/mc/microengine_mc.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace nplab::compiler {
namespace {

constexpr const char* kSystemFolder = "/microengine/include";
constexpr const char* kRuntimeFile = "/microengine/runtime.c";

// Clang's errors and warnings as ours; notes are left out.
class FrontEndDiagnostics : public clang::DiagnosticConsumer {
 public:
  FrontEndDiagnostics(std::string file, Diagnostics& errors, std::vector<Diagnostic>& warnings)
      : file_(std::move(file)), errors_(errors), warnings_(warnings) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override {
    clang::DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    SourceLocation location{file_, 1, 1};
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
      clang::PresumedLoc place =
          diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
      if (place.isValid())
        location = {place.getFilename(), static_cast<int>(place.getLine()),
                    static_cast<int>(place.getColumn())};
    }
    if (level >= clang::DiagnosticsEngine::Error)
      errors_.error(std::move(location), text.str().str());
    else if (level == clang::DiagnosticsEngine::Warning)
      warnings_.push_back({std::move(location), text.str().str()});
  }

 private:
  std::string file_;
  Diagnostics& errors_;
  std::vector<Diagnostic>& warnings_;
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system(
    const std::string& source, const std::string& file,
    const llvm::IntrusiveRefCntPtr<RecordedFiles>& files) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto add = [&](const std::string& path, llvm::StringRef text) {
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  };
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files);
  if (auto folder = overlay->getCurrentWorkingDirectory())
    (void)memory->setCurrentWorkingDirectory(*folder);  // which cannot fail in memory
  for (const SystemHeader& header : system_headers())
    add(std::string(kSystemFolder) + "/" + header.name, header.text);
  add(kRuntimeFile, {kRuntimeSource.data(), kRuntimeSource.size()});
  add(file, source);
  overlay->pushOverlay(memory);
  return overlay;
}

// Looks at what was parsed, beside the generator of IR.
class ParsedProgramCheck : public clang::ASTConsumer {
 public:
  ParsedProgramCheck(clang::DiagnosticsEngine& diagnostics, std::vector<Diagnostic>& warnings,
                     DeclaredFacts& facts)
      : diagnostics_(diagnostics), warnings_(warnings), facts_(facts) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group)
      if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration))
        prepare(*function);
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    const unsigned error = diagnostics_.getCustomDiagID(
        clang::DiagnosticsEngine::Error,
        "the address of '%0', in a packed structure, may be misaligned, and a misaligned reference "
        "is a fault: name the member each time, or copy it to a local and point there");
    find_misaligned_members(context, [&](clang::SourceLocation place, const std::string& member) {
      diagnostics_.Report(place, error) << member;
    });
    const unsigned refused = diagnostics_.getCustomDiagID(
        clang::DiagnosticsEngine::Error, "the microengine has no way to do this: %0");
    check_declarations(context, [&](clang::SourceLocation place, const std::string& why) {
      diagnostics_.Report(place, refused) << why;
    });
    const unsigned warning = diagnostics_.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0");
    find_waiting_loops(context, [&](clang::SourceLocation place, const std::string& why) {
      diagnostics_.Report(place, warning) << why;
    });
    facts_.places = declared_places(context);
    for (const clang::Decl* declaration : context.getTranslationUnitDecl()->decls()) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
      if (function && function->doesThisDeclarationHaveABody() &&
          function->getNameAsString() == "main")
        let_end_without_return(*function, context.getSourceManager());
    }
  }

 private:
  void prepare(clang::FunctionDecl& function) {
    // Clang leaves an inline function to the library that defines it, which is not there.
    if (function.isInlineSpecified() && function.getStorageClass() != clang::SC_Static &&
        !function.hasAttr<clang::AlwaysInlineAttr>())
      function.addAttr(clang::AlwaysInlineAttr::CreateImplicit(function.getASTContext()));
    // What stays of annotations in IR is for note_waits, which takes them out.
    for (const auto* annotation : function.specific_attrs<clang::AnnotateAttr>())
      if (annotation->getAnnotation() == kMaySpillAttribute)
        facts_.may_spill.insert(function.getNameAsString());
  }

  // main returns 0 then (transforms/PrepareMain.h); to a freestanding C it is a function like
  // others.
  void let_end_without_return(const clang::FunctionDecl& main,
                              const clang::SourceManager& sources) {
    const clang::PresumedLoc end = sources.getPresumedLoc(main.getBodyRBrace());
    std::erase_if(warnings_, [&](const Diagnostic& warning) {
      return end.isValid() && warning.location.line == static_cast<int>(end.getLine()) &&
             warning.location.column == static_cast<int>(end.getColumn()) &&
             warning.message.starts_with("non-void function does not return a value");
    });
  }

  clang::DiagnosticsEngine& diagnostics_;
  std::vector<Diagnostic>& warnings_;
  DeclaredFacts& facts_;
};

class ParseAction : public clang::EmitLLVMOnlyAction {
 public:
  ParseAction(llvm::LLVMContext& context, std::vector<Diagnostic>& warnings)
      : EmitLLVMOnlyAction(&context), warnings_(warnings) {}
  [[nodiscard]] const DeclaredFacts& facts() const { return facts_; }

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& clang,
                                                        llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(
        std::make_unique<ParsedProgramCheck>(clang.getDiagnostics(), warnings_, facts_));
    consumers.push_back(EmitLLVMOnlyAction::CreateASTConsumer(clang, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

 private:
  std::vector<Diagnostic>& warnings_;
  DeclaredFacts facts_;
};

std::string base_name(const std::string& file) {
  return file.substr(file.rfind('/') + 1);
}

std::vector<std::string> arguments_for(const std::string& file, const CompileOptions& options) {
  std::vector<std::string> arguments = {"-triple",
                                        "unknown-unknown-none-elf",
                                        "-nostdsysteminc",
                                        "-nobuiltininc",
                                        "-x",
                                        "c",
                                        "-std=gnu17",
                                        "-ffreestanding",
                                        "-disable-llvm-passes",
                                        options.variables == VariableRecord::kKept
                                            ? "-debug-info-kind=limited"
                                            : "-debug-info-kind=line-tables-only",
                                        "-dwarf-version=4",
                                        "-debugger-tuning=gdb",
                                        "-Wall",
                                        "-Wextra",
                                        "-Wno-unused-parameter",
                                        "-Wno-address-of-packed-member",
                                        "-fno-signed-char",
                                        "-include",
                                        kRuntimeFile,
                                        "-main-file-name",
                                        base_name(file),
                                        options.optimization == Optimization::kO0   ? "-O0"
                                        : options.optimization == Optimization::kOs ? "-Os"
                                                                                    : "-O2",
                                        "-internal-isystem",
                                        kSystemFolder};
  for (const std::string& folder : options.include_directories)
    arguments.insert(arguments.end(), {"-I", folder});
  for (const std::string& define : options.defines)
    arguments.insert(arguments.end(), {"-D", define});
  arguments.push_back(file);
  return arguments;
}

}  // namespace

std::unique_ptr<llvm::Module> parse_c(const std::string& source, const std::string& file,
                                      const CompileOptions& options, llvm::LLVMContext& context,
                                      Diagnostics& diagnostics, std::vector<Diagnostic>& warnings,
                                      std::vector<SourceInput>& inputs, const AtToken& at_token) {
  clang::CompilerInstance clang;
  clang.createDiagnostics(new FrontEndDiagnostics(file, diagnostics, warnings),
                          /*ShouldOwnClient=*/true);
  std::vector<std::string> arguments = arguments_for(file, options);
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments)
    pointers.push_back(argument.c_str());
  if (!clang::CompilerInvocation::CreateFromArgs(clang.getInvocation(), pointers,
                                                 clang.getDiagnostics()))
    return nullptr;
  clang::ProcessWarningOptions(clang.getDiagnostics(), clang.getDiagnosticOpts(),
                               /*ReportDiags=*/false);
  const auto files = llvm::makeIntrusiveRefCnt<RecordedFiles>(llvm::vfs::getRealFileSystem());
  clang.createFileManager(file_system(source, file, files));
  // CompilerInstance::ExecuteAction would call createTarget() and refuse the triple, so its steps
  // are taken by hand.
  set_microengine_target(clang);
  ParseAction action(context, warnings);
  for (const clang::FrontendInputFile& input : clang.getFrontendOpts().Inputs) {
    if (!action.BeginSourceFile(clang, input))
      return nullptr;
    clang.getPreprocessor().setTokenWatcher([&](const clang::Token& token) {
      const clang::SourceManager& sources = clang.getSourceManager();
      const clang::SourceLocation place = sources.getExpansionLoc(token.getLocation());
      if (!sources.isInMainFile(place))
        return;
      const clang::PresumedLoc named = sources.getPresumedLoc(place);
      if (named.isValid())
        at_token({file, static_cast<int>(named.getLine()), static_cast<int>(named.getColumn())});
    });
    if (llvm::Error error = action.Execute()) {
      diagnostics.error({file, 1, 1}, llvm::toString(std::move(error)));
      return nullptr;
    }
    action.EndSourceFile();
  }
  if (diagnostics.has_errors())
    return nullptr;
  inputs = files->inputs();
  std::unique_ptr<llvm::Module> module = action.takeModule();
  if (module) {
    module->setTargetTriple(llvm::Microengine::kTriple);
    attach_facts(*module, action.facts());
  }
  return module;
}

}  // namespace nplab::compiler
