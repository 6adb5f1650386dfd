#include "compiler/code_generation.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "compiler/backend/MicroengineISelLowering.h"
#include "compiler/backend/MicroengineMachineFunctionInfo.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "compiler/front_end/front_end.h"
#include "compiler/pipeline.h"
#include "compiler/transforms/AnnotateProfile.h"
#include "compiler/transforms/CheckProgram.h"
#include "compiler/transforms/TieSignals.h"
#include "isa/mc/microengine_mc.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace nplab::compiler {
namespace {

// What the code generator cannot do (an intrinsic's operand that is no constant, registers that run
// out), at its line.
class BackEndDiagnostics : public llvm::DiagnosticHandler {
 public:
  BackEndDiagnostics(std::string file, const RemarkFilter& filter)
      : file_(std::move(file)), filter_(filter) {}

  // Where main and inline assembly stand in the source; LLVM names the latter by a number that the
  // front end gave.
  void find_places(const llvm::Module& module) {
    main_ = location_of({}, *module.getFunction("main"));
    for (const llvm::Function& function : module)
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        const llvm::MDNode* cookie = instruction.getMetadata("srcloc");
        if (!cookie)
          continue;
        for (const llvm::MDOperand& line : cookie->operands())
          if (auto* number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(line))
            assembly_[number->getZExtValue()] = location_of(instruction.getDebugLoc(), function);
      }
  }

  // What was collected since the last call.
  Diagnostics take() {
    if (out_of_registers_ && !diagnostics_.has_errors())
      diagnostics_.error(
          main_,
          "out of registers: use fewer values, bursts or operands of inline assembly at a time");
    out_of_registers_ = false;
    HasErrors = false;
    return std::exchange(diagnostics_, {});
  }

  bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override {
    return matches(filter_.passed, pass);
  }
  bool isMissedOptRemarkEnabled(llvm::StringRef pass) const override {
    return matches(filter_.missed, pass);
  }
  bool isAnalysisRemarkEnabled(llvm::StringRef) const override { return false; }
  bool isAnyRemarkEnabled() const override { return filter_.passed || filter_.missed; }

  // Code may be generated more than once: what was said since the pipeline was about an attempt
  // that was given up.
  void keep_remarks() { kept_remarks_ = remarks_.size(); }
  void forget_remarks() { remarks_.resize(kept_remarks_); }
  const std::vector<Remark>& remarks() const { return remarks_; }

  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info)) {
      add(*remark);
      return true;
    }
    if (info.getSeverity() != llvm::DS_Error)
      return true;
    SourceLocation location{file_, 0, 0};
    std::string message;
    if (auto* unsupported = llvm::dyn_cast<llvm::DiagnosticInfoUnsupported>(&info)) {
      message = unsupported->getMessage().str();
      location = location_of({}, unsupported->getFunction());
      if (unsupported->isLocationAvailable()) {
        llvm::StringRef path;
        unsigned line = 0, column = 0;
        unsupported->getLocation(path, line, column);
        location = {path.str(), static_cast<int>(line), static_cast<int>(column)};
      }
    } else if (auto* assembler = llvm::dyn_cast<llvm::DiagnosticInfoSrcMgr>(&info)) {
      message = "inline assembly: " + assembler->getSMDiag().getMessage().str() + ": `" +
                assembler->getSMDiag().getLineContents().trim().str() + "`";
      if (auto found = assembly_.find(assembler->getLocCookie()); found != assembly_.end())
        location = found->second;
    } else if (auto* general = llvm::dyn_cast<llvm::DiagnosticInfoInlineAsm>(&info)) {
      message = general->getMsgStr().str();
      if (message.starts_with("ran out of registers")) {
        out_of_registers_ = true;  // target/MicroengineNameShortage.cpp says where
        return true;
      }
      if (auto found = assembly_.find(general->getLocCookie()); found != assembly_.end())
        location = found->second;
    } else {
      llvm::raw_string_ostream stream(message);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
    }
    diagnostics_.error(std::move(location), std::move(message));
    return true;
  }

 private:
  static bool matches(const std::optional<std::regex>& filter, llvm::StringRef pass) {
    return filter && std::regex_search(pass.begin(), pass.end(), *filter);
  }

  void add(const llvm::DiagnosticInfoOptimizationBase& info) {
    const bool is_about_intrinsic = info.getRemarkName() == "NoDefinition";
    const bool is_remark = info.isPassed() || info.isMissed();  // and no warning, which asks nobody
    if (!is_remark || !info.isEnabled() || !info.isLocationAvailable() || is_about_intrinsic)
      return;
    llvm::StringRef path;
    unsigned line = 0, column = 0;
    info.getLocation(path, line, column);
    if (path.starts_with(kOwnFolder))
      return;
    Remark remark{{path.str(), static_cast<int>(line), static_cast<int>(column)},
                  info.getPassName().str(),
                  info.getMsg(),
                  info.isMissed()};
    const bool repeated = std::any_of(remarks_.begin(), remarks_.end(), [&](const Remark& said) {
      return std::tie(said.location.file, said.location.line, said.location.column, said.pass,
                      said.message) == std::tie(remark.location.file, remark.location.line,
                                                remark.location.column, remark.pass,
                                                remark.message);
    });
    if (!repeated)
      remarks_.push_back(std::move(remark));
  }

  std::string file_;
  const RemarkFilter& filter_;
  std::vector<Remark> remarks_;
  std::size_t kept_remarks_ = 0;
  SourceLocation main_{file_, 0, 0};
  std::map<std::uint64_t, SourceLocation> assembly_;
  Diagnostics diagnostics_;
  bool out_of_registers_ = false;
};

llvm::MicroengineOptions engine_options(const CompileOptions& options) {
  llvm::MicroengineOptions engine;
  engine.DefaultSpace = address_space_of(options.frame.space);
  engine.FrameBase = options.frame.base;
  engine.FillSlots =
      options.optimization == Optimization::kO2 || options.optimization == Optimization::kOs;
  return engine;
}

std::unique_ptr<llvm::MicroengineTargetMachine> create_target(const CompileOptions& options) {
  llvm::registerMicroengineCodeGenerator();
  llvm::TargetOptions target_options;
  target_options.TrapUnreachable = false;
  llvm::Target& target = llvm::getTheMicroengineTarget();
  auto* machine = static_cast<llvm::MicroengineTargetMachine*>(target.createTargetMachine(
      llvm::Microengine::kTriple, "generic", "", target_options, llvm::Reloc::Static, std::nullopt,
      llvm::CodeGenOptLevel::Default));
  machine->setEngineOptions(engine_options(options));
  return std::unique_ptr<llvm::MicroengineTargetMachine>(machine);
}

// The largest number of a per-engine shared variable, plus one.
unsigned shared_variables(const llvm::Module& module) {
  unsigned count = 0;
  for (const llvm::Function& function : module) {
    if (!function.getName().starts_with("__me_shared_"))
      continue;
    for (const llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
        if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)))
          count = std::max<unsigned>(count,
                                     number->getLimitedValue(llvm::MicroengineSharedLimit - 1) + 1);
  }
  return count;
}

class Generator {
 public:
  Generator(llvm::Module& module, const CompileOptions& options, OutputKind kind,
            BackEndDiagnostics& collector)
      : module_(module),
        options_(options),
        kind_(kind),
        collector_(collector),
        machine_(create_target(options)) {}

  llvm::MicroengineTargetMachine& machine() { return *machine_; }

  // Longwords that arrived wait in their transfer registers for their use, and references wait
  // together. Where that takes too many registers, once more without the latter, then with each
  // longword moved out as it arrives; then with references that should not block blocking after
  // all.
  std::optional<std::string> run(Diagnostics& diagnostics) {
    constexpr const char* kMoveOut = llvm::MicroengineMoveOutAttribute;
    constexpr const char* kBlocking = llvm::MicroengineBlockingAttribute;
    constexpr const char* kModest = llvm::MicroengineModestAttribute;
    std::vector<std::vector<const char*>> ways = {{}, {kModest}, {kMoveOut}};
    if (has_started_references(module_))
      ways.insert(ways.end(), {{kBlocking}, {kBlocking, kMoveOut}});
    Diagnostics found;
    for (const std::vector<const char*>& way : ways) {
      for (const char* attribute : {kMoveOut, kModest, kBlocking})
        main().removeFnAttr(attribute);
      for (const char* attribute : way)
        main().addFnAttr(attribute);
      found = {};
      if (std::optional<std::string> output = run_with_frames(found))
        return output;
    }
    diagnostics.append(found);
    return std::nullopt;
  }

 private:
  llvm::Function& main() { return *module_.getFunction("main"); }

  // How far locals in memory reach decides which registers hold their address; more than was
  // assumed means once more.
  std::optional<std::string> run_with_frames(Diagnostics& diagnostics) {
    main().addFnAttr(llvm::MicroengineSharedAttribute, std::to_string(shared_variables(module_)));
    for (const char* frame : {"none", "near", "far"}) {
      main().addFnAttr(llvm::MicroengineFrameAttribute, frame);
      std::string output = generate(MachineVerifier::kOff);
      diagnostics.append(collector_.take());
      if (diagnostics.has_errors())
        return std::nullopt;
      if (!reaches(frame))
        continue;
      // Only what is given away: code that ran out of registers is not right, and another attempt
      // may follow.
      if (options_.verify == MachineVerifier::kOn)
        generate(MachineVerifier::kOn);
      return output;
    }
    llvm_unreachable("far reaches every frame");
  }

  bool reaches(llvm::StringRef frame) const {
    constexpr unsigned kReferenceOffsets = 128;  // bytes
    if (machine_->frameBytes() == 0)
      return true;
    return frame == "far" || (frame == "near" && machine_->frameBytes() <= kReferenceOffsets);
  }

  std::string generate(MachineVerifier verify) {
    std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module_);
    llvm::SmallString<0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    machine_->Options.MCOptions.AsmVerbose = false;
    machine_->setFrameBytes(0);
    machine_->counts().clear();
    collector_.forget_remarks();
    verify_machine_code(verify);
    auto type = kind_ == OutputKind::kAssembly ? llvm::CodeGenFileType::AssemblyFile
                                               : llvm::CodeGenFileType::ObjectFile;
    if (machine_->addPassesToEmitFile(passes, stream, nullptr, type,
                                      verify == MachineVerifier::kOff))
      llvm::report_fatal_error("the target emits assembly and objects");
    passes.run(*copy);
    return bytes.str().str();
  }

  // The switch is one of LLVM's command-line options; there is no other way to it.
  static void verify_machine_code(MachineVerifier verify) {
    auto& options = llvm::cl::getRegisteredOptions();
    if (auto found = options.find("verify-machineinstrs"); found != options.end())
      found->second->addOccurrence(0, "verify-machineinstrs",
                                   verify == MachineVerifier::kOn ? "true" : "false");
  }

  llvm::Module& module_;
  const CompileOptions& options_;
  OutputKind kind_;
  BackEndDiagnostics& collector_;
  std::unique_ptr<llvm::MicroengineTargetMachine> machine_;
};

// Which functions make the program too large, the largest first.
std::string largest_functions(const llvm::MicroengineTargetMachine::CountsBySource& counts) {
  constexpr std::size_t kNamed = 5;
  std::vector<std::pair<std::string, unsigned>> sorted;
  for (const auto& [name, count] : counts)
    sorted.emplace_back(name, count.Words);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i != std::min(kNamed, sorted.size()); ++i)
    text += (i ? ", " : "") + sorted[i].first + " " + std::to_string(sorted[i].second);
  return text;
}

void check_ir(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream))
    llvm::report_fatal_error(llvm::Twine("the pipeline left broken IR: ") + text);
}

// SDRAM moves quadwords.
void check_frame_base(const CompileOptions& options, const SourceLocation& main,
                      Diagnostics& diagnostics) {
  const std::uint32_t unit = options.frame.space == isa::MemorySpace::kSdram ? 8 : 4;
  if (options.frame.base % unit == 0)
    return;
  diagnostics.error(main, "the frame area for locals must start at a multiple of " +
                              std::to_string(unit) + " bytes, not at " +
                              std::to_string(options.frame.base));
}

void check_fits(const CompileOptions& options, llvm::MicroengineTargetMachine& machine,
                const SourceLocation& main, const CompileReport& report, Diagnostics& diagnostics) {
  if (report.words > options.control_store_words)
    diagnostics.error(main, "the program needs " + std::to_string(report.words) +
                                " control-store words; the engine has " +
                                std::to_string(options.control_store_words) +
                                ". Largest functions, in words where they were inlined: " +
                                largest_functions(machine.counts()));
  std::uint32_t room =
      options.frame.bytes_per_thread ? llvm::bit_floor(options.frame.bytes_per_thread) : 0;
  if (report.frame_bytes > room)
    diagnostics.error(main, "locals that do not fit in registers need " +
                                std::to_string(report.frame_bytes) +
                                " bytes a thread; the frame area has " + std::to_string(room) +
                                ". Use fewer or smaller local arrays, or give a larger frame area");
}

}  // namespace

std::optional<std::string> generate_code(llvm::Module& module, const std::string& file,
                                         const CompileOptions& options, OutputKind kind,
                                         Diagnostics& diagnostics, CompileReport& report) {
  auto owned_collector = std::make_unique<BackEndDiagnostics>(file, options.remarks);
  BackEndDiagnostics& collector = *owned_collector;
  module.getContext().setDiagnosticHandler(std::move(owned_collector));
  Generator generator(module, options, kind, collector);
  check_frame_base(options, location_of({}, *module.getFunction("main")), diagnostics);
  if (diagnostics.has_errors())
    return std::nullopt;
  annotate_profile(module, options.profile);
  run_pipeline(module, generator.machine(), options, diagnostics);
  if (diagnostics.has_errors())
    return std::nullopt;
  check_ir(module);
  collector.find_places(module);
  collector.keep_remarks();
  diagnostics.append(collector.take());
  std::optional<std::string> output = generator.run(diagnostics);
  if (!output)
    return std::nullopt;
  report.remarks = collector.remarks();
  report.words = 0;
  report.frame_bytes = generator.machine().frameBytes();
  report.reserved_registers = llvm::reservedForProgram(*module.getFunction("main")).size();
  report.functions.clear();
  for (const auto& [name, counts] : generator.machine().counts()) {
    report.words += counts.Words;
    report.functions.push_back({name, counts.Words, counts.References, counts.Bursts,
                                counts.FilledSlots, counts.GuessedBranches, counts.Overlapped,
                                counts.Spills});
  }
  const auto& used = generator.machine().usage();
  report.registers = {used.BankA,     used.BankB,     used.SRAMRead,
                      used.SRAMWrite, used.SDRAMRead, used.SDRAMWrite};
  check_fits(options, generator.machine(), location_of({}, *module.getFunction("main")), report,
             diagnostics);
  return diagnostics.has_errors() ? std::nullopt : output;
}

}  // namespace nplab::compiler
