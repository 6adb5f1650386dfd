#include "compiler/generation_attempt.h"

#include "compiler/pipeline.h"
#include "isa/mc/microengine_mc.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace nplab::compiler {
namespace {

constexpr llvm::StringLiteral kAsmPrinter = "microengine assembly printer";

// Verifies machine code after every pass from selection to the assembly printer, which leaves
// blocks that the verifier does not accept. LLVM's own way to this is an option of the process.
class VerifyingPassManager : public llvm::legacy::PassManager {
 public:
  void add(llvm::Pass* pass) override {
    is_machine_code_ |= pass->getPassID() == &llvm::FinalizeISelID;
    is_machine_code_ &= pass->getPassName() != kAsmPrinter;
    const bool is_checked = is_machine_code_ && pass->getAsImmutablePass() == nullptr;
    const std::string banner = "after " + pass->getPassName().str();
    llvm::legacy::PassManager::add(pass);
    if (is_checked)
      llvm::legacy::PassManager::add(llvm::createMachineVerifierPass(banner));
  }

 private:
  bool is_machine_code_ = false;
};

template <class PassManager>
std::string emit(const GenerationTask& task, llvm::TargetMachine& machine, MachineVerifier verify) {
  const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(task.module);
  llvm::SmallString<0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  PassManager passes;
  const auto type = task.kind == OutputKind::kAssembly ? llvm::CodeGenFileType::AssemblyFile
                                                       : llvm::CodeGenFileType::ObjectFile;
  const bool does_not_verify = verify == MachineVerifier::kOff;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type, does_not_verify))
    llvm::report_fatal_error("the target emits assembly and objects");
  passes.run(*copy);
  return bytes.str().str();
}

}  // namespace

llvm::MicroengineOptions engine_options(const CompileOptions& options) {
  llvm::MicroengineOptions engine;
  engine.DefaultSpace = address_space_of(options.frame.space);
  engine.FrameBase = options.frame.base;
  engine.FillSlots =
      options.optimization == Optimization::kO2 || options.optimization == Optimization::kOs;
  engine.KeepsVariables = options.variables == VariableRecord::kKept;
  return engine;
}

std::unique_ptr<llvm::MicroengineTargetMachine> create_target(
    const llvm::MicroengineOptions& options) {
  llvm::registerMicroengineCodeGenerator();
  llvm::TargetOptions target_options;
  target_options.TrapUnreachable = false;
  target_options.MCOptions.AsmVerbose = false;
  llvm::Target& target = llvm::getTheMicroengineTarget();
  auto* machine = static_cast<llvm::MicroengineTargetMachine*>(target.createTargetMachine(
      llvm::Microengine::kTriple, "generic", "", target_options, llvm::Reloc::Static, std::nullopt,
      llvm::CodeGenOptLevel::Default));
  machine->setEngineOptions(options);
  return std::unique_ptr<llvm::MicroengineTargetMachine>(machine);
}

GenerationResult generate(const GenerationTask& task, const llvm::MicroengineOptions& settings) {
  auto owned_handler = std::make_unique<BackEndDiagnostics>(task.places, task.options.remarks);
  BackEndDiagnostics& handler = *owned_handler;
  task.module.getContext().setDiagnosticHandler(std::move(owned_handler));
  const auto machine = create_target(settings);
  GenerationResult result;
  result.output = emit<llvm::legacy::PassManager>(task, *machine, MachineVerifier::kOff);
  result.diagnostics = handler.take_diagnostics();
  result.remarks = handler.take_remarks();
  result.frame_bytes = static_cast<std::uint32_t>(machine->frameBytes());
  result.counts = std::move(machine->counts());
  result.call_sites = std::move(machine->callSites());
  result.usage = machine->usage();
  return result;
}

void verify_generation(const GenerationTask& task, const llvm::MicroengineOptions& settings) {
  const auto machine = create_target(settings);
  emit<VerifyingPassManager>(task, *machine, MachineVerifier::kOn);
}

}  // namespace nplab::compiler
