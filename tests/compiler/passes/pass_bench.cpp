#include "tests/compiler/passes/pass_bench.h"

#include <catch2/catch.hpp>
#include <memory>

#include "isa/mc/microengine_mc.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/MIRParser/MIRParser.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/FileCheck/FileCheck.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"

namespace nplab::test {
namespace {

using namespace llvm;

std::unique_ptr<MicroengineTargetMachine> target_machine(const MicroengineOptions& options) {
  registerMicroengineCodeGenerator();
  auto* machine =
      static_cast<MicroengineTargetMachine*>(getTheMicroengineTarget().createTargetMachine(
          Microengine::kTriple, "generic", "", TargetOptions(), Reloc::Static, std::nullopt,
          CodeGenOptLevel::Default));
  machine->setEngineOptions(options);
  return std::unique_ptr<MicroengineTargetMachine>(machine);
}

class MachineStep : public MachineFunctionPass {
 public:
  static char ID;
  explicit MachineStep(std::function<void(MachineFunction&)> step)
      : MachineFunctionPass(ID), step_(std::move(step)) {}
  StringRef getPassName() const override { return "step of a test"; }
  bool runOnMachineFunction(MachineFunction& function) override {
    step_(function);
    return true;
  }

 private:
  std::function<void(MachineFunction&)> step_;
};
char MachineStep::ID;

// Errors become lines of the text, `error: ...`, instead of the end of the process.
class ErrorsAsText : public DiagnosticHandler {
 public:
  explicit ErrorsAsText(std::string& text) : text_(text) {}
  bool handleDiagnostics(const DiagnosticInfo& information) override {
    if (information.getSeverity() != DS_Error)
      return true;
    raw_string_ostream stream(text_);
    DiagnosticPrinterRawOStream printer(stream);
    stream << "error: ";
    information.print(printer);
    stream << "\n";
    return true;
  }

 private:
  std::string& text_;
};

std::string text_of(const Module& module) {
  std::string text;
  raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

std::unique_ptr<Module> parse_ir(const std::string& ir, LLVMContext& context) {
  SMDiagnostic error;
  auto module = parseAssemblyString(ir, error, context);
  if (!module) {
    std::string message;
    raw_string_ostream stream(message);
    error.print("test", stream);
    FAIL(message);
  }
  return module;
}

enum class Verifier { kOff, kOn };

std::string run_machine_passes(const std::string& blocks, const std::vector<MachinePass>& passes,
                               const std::string& attributes, const MicroengineOptions& options,
                               Verifier verifier) {
  const std::string mir = "--- |\n  define i32 @main() " + attributes +
                          " { unreachable }\n...\n---\nname: main\n"
                          "tracksRegLiveness: true\nbody: |\n" +
                          blocks + "...\n";
  const auto machine = target_machine(options);
  std::string errors;
  LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<ErrorsAsText>(errors));
  const auto parser = createMIRParser(MemoryBuffer::getMemBuffer(mir), context);
  const auto module = parser->parseIRModule();
  INFO(mir);
  REQUIRE(module);
  module->setTargetTriple(Microengine::kTriple);
  module->setDataLayout(machine->createDataLayout());
  auto* information = new MachineModuleInfoWrapperPass(machine.get());
  REQUIRE_FALSE(parser->parseMachineFunctions(*module, information->getMMI()));
  std::string text;
  raw_string_ostream stream(text);
  legacy::PassManager manager;
  TargetPassConfig* config = machine->createPassConfig(manager);
  manager.add(config);
  manager.add(information);
  for (const MachinePass& pass : passes)
    manager.add(pass());
  if (verifier == Verifier::kOn)
    manager.add(createMachineVerifierPass("after the test's passes"));
  config->setInitialized();
  manager.add(createPrintMIRPass(stream));
  manager.run(*module);
  return text.substr(text.find("body:")) + errors;
}

}  // namespace

MachinePass machine_step(std::function<void(MachineFunction&)> step) {
  return [step] { return new MachineStep(step); };
}

std::string after_machine_passes(const std::string& blocks, const std::vector<MachinePass>& passes,
                                 const std::string& attributes, const MicroengineOptions& options) {
  return run_machine_passes(blocks, passes, attributes, options, Verifier::kOn);
}

std::string after_slot_passes(const std::string& blocks, const std::vector<MachinePass>& passes) {
  return run_machine_passes(blocks, passes, "", {}, Verifier::kOff);
}

std::string after_ir_passes(const std::string& ir,
                            const std::function<void(FunctionPassManager&)>& add) {
  return after_ir_step(ir, [&](Module& module) {
    const auto machine = target_machine({});
    PassBuilder builder(machine.get());
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager components;
    ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
    FunctionPassManager passes;
    add(passes);
    ModulePassManager all;
    all.addPass(createModuleToFunctionPassAdaptor(std::move(passes)));
    all.run(module, modules);
  });
}

std::string after_ir_step(const std::string& ir, const std::function<void(Module&)>& step) {
  LLVMContext context;
  const auto module = parse_ir(ir, context);
  module->setTargetTriple(Microengine::kTriple);
  module->setDataLayout(MicroengineTargetMachine::Layout);
  step(*module);
  CHECK_FALSE(verifyModule(*module));
  return text_of(*module);
}

std::string file_check(const std::string& text, const std::string& directives) {
  FileCheckRequest request;
  request.CheckPrefixes = {"CHECK"};
  request.CommentPrefixes = {"COM"};
  FileCheck checker(request);
  SourceMgr sources;
  std::string complaints;
  sources.setDiagHandler(
      [](const SMDiagnostic& found, void* target) {
        raw_string_ostream stream(*static_cast<std::string*>(target));
        found.print(nullptr, stream, /*ShowColors=*/false);
      },
      &complaints);
  const auto add = [&](const std::string& contents, const char* name) {
    const auto raw = MemoryBuffer::getMemBufferCopy(contents, name);
    SmallString<4096> buffer;
    const StringRef result = checker.CanonicalizeFile(*raw, buffer);
    auto copy = MemoryBuffer::getMemBufferCopy(result, name);
    const StringRef kept = copy->getBuffer();
    sources.AddNewSourceBuffer(std::move(copy), SMLoc());
    return kept;
  };
  if (checker.readCheckFile(sources, add(directives, "directives")))
    return "bad directives: " + complaints;
  return checker.checkInput(sources, add(text, "text")) ? std::string() : text + "\n" + complaints;
}

}  // namespace nplab::test
