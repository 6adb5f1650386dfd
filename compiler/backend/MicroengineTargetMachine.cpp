#include "compiler/backend/MicroengineTargetMachine.h"

#include "compiler/backend/MicroengineTargetTransformInfo.h"
#include "compiler/backend/passes/MicroengineSplitConstants.h"
#include "compiler/backend/passes/MicroengineStraighten.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetLoweringObjectFileImpl.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCSectionELF.h"

using namespace llvm;

namespace {

// Variables go to the section of their memory: .sram, .sdram, .scratch.
class MicroengineObjectFile : public TargetLoweringObjectFileELF {
 public:
  MCSection* SelectSectionForGlobal(const GlobalObject* Global, SectionKind Kind,
                                    const TargetMachine& Target) const override {
    if (Kind.isText())
      return TargetLoweringObjectFileELF::SelectSectionForGlobal(Global, Kind, Target);
    unsigned Space = Global->getAddressSpace();
    if (Space == MicroengineAddressSpace::kDefault)
      Space = static_cast<const MicroengineTargetMachine&>(Target).engineOptions().DefaultSpace;
    const char* Name = Space == MicroengineAddressSpace::kSram    ? ".sram"
                       : Space == MicroengineAddressSpace::kSdram ? ".sdram"
                                                                  : ".scratch";
    return getContext().getELFSection(Name, ELF::SHT_PROGBITS, ELF::SHF_ALLOC | ELF::SHF_WRITE);
  }
};

class MicroenginePassConfig : public TargetPassConfig {
 public:
  MicroenginePassConfig(MicroengineTargetMachine& Target, PassManagerBase& Passes)
      : TargetPassConfig(Target, Passes) {
    // Forwarding a copy's source into a use would forget the banks.
    disablePass(&MachineCopyPropagationID);
    // Sinking would leave a burst in its transfer registers until the block that uses it, over
    // other references.
    disablePass(&MachineSinkingID);
    if (Target.engineOptions().HasCalls)
      setRequiresCodeGenSCCOrder(true);  // callees first
  }

  // The driver's pipelines (compiler/pipeline.cpp) have done what each level allows; only what
  // selection needs is left.
  void addIRPasses() override {
    addPass(createPreISelIntrinsicLoweringPass());
    addPass(createExpandLargeDivRemPass());
    addPass(createUnreachableBlockEliminationPass());
    addPass(createExpandReductionsPass());
  }
  // It sinks, splits and forms selects; and it would form narrow accesses again.
  void addCodeGenPrepare() override {}
  bool addInstSelector() override {
    addPass(createMicroengineISelDag(getTM<MicroengineTargetMachine>()));
    return false;
  }
  void addPreRegAlloc() override {
    if (getTM<MicroengineTargetMachine>().engineOptions().FillSlots) {
      addPass(createMicroengineSplitConstants());
      addPass(createMicroengineMergeReads());
    }
    addPass(createMicroengineBankAssignment());
  }
  bool addPreRewrite() override {
    addPass(createMicroengineOutOfRegisters());
    return true;
  }
  void addPreEmitPass() override {
    if (getTM<MicroengineTargetMachine>().engineOptions().FillSlots)
      addPass(createMicroengineStraighten());
    addPass(createMicroengineExpandPseudos());
    addPass(createMicroengineCheckSignals());
    addPass(createMicroengineCheckAtomic());
    if (!getTM<MicroengineTargetMachine>().engineOptions().FillSlots)
      return;
    addPass(createMicroengineShareWaits());
    addPass(createMicroenginePredictBranches());
  }
};

}  // namespace

MicroengineTargetMachine::MicroengineTargetMachine(
    const Target& T, const Triple& TargetTriple, StringRef, StringRef, const TargetOptions& Options,
    std::optional<Reloc::Model>, std::optional<CodeModel::Model>, CodeGenOptLevel Level, bool)
    : LLVMTargetMachine(T, Layout, TargetTriple, "generic", "", Options, Reloc::Static,
                        CodeModel::Small, Level),
      Sections(std::make_unique<MicroengineObjectFile>()),
      Subtarget(TargetTriple, *this) {
  initAsmInfo();
}

const MicroengineOptions& llvm::engineOptionsOf(const MachineFunction& Function) {
  return static_cast<const MicroengineTargetMachine&>(Function.getTarget()).engineOptions();
}

const MicroengineCalledFunctions& llvm::calledFunctionsOf(const MachineFunction& Function) {
  return static_cast<const MicroengineTargetMachine&>(Function.getTarget()).calledFunctions();
}

MicroengineTargetMachine::~MicroengineTargetMachine() = default;

TargetTransformInfo MicroengineTargetMachine::getTargetTransformInfo(const Function& F) const {
  return TargetTransformInfo(MicroengineTTIImpl(this, F));
}

TargetPassConfig* MicroengineTargetMachine::createPassConfig(PassManagerBase& Passes) {
  return new MicroenginePassConfig(*this, Passes);
}
