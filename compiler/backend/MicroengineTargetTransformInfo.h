// What the optimiser asks about costs: bursts are what it may form; jump tables and vectors do not
// pay, unrolling hardly.
#pragma once

#include "compiler/backend/MicroengineTargetMachine.h"
#include "llvm/CodeGen/BasicTTIImpl.h"

namespace llvm {

class MicroengineTTIImpl : public BasicTTIImplBase<MicroengineTTIImpl> {
  friend BasicTTIImplBase<MicroengineTTIImpl>;

 public:
  MicroengineTTIImpl(const MicroengineTargetMachine* Target, const Function& F)
      : BasicTTIImplBase(Target, F.getDataLayout()),
        Subtarget(Target->getSubtargetImpl(F)),
        Lowering(Subtarget->getTargetLowering()) {}

  // A burst moves up to eight longwords. Space 0 stays out: what it holds is short-lived and often
  // in registers.
  unsigned getLoadStoreVecRegBitWidth(unsigned Space) const {
    return Space == MicroengineAddressSpace::kDefault ? 32 : 256;
  }
  bool isLegalToVectorizeLoadChain(unsigned Bytes, Align Alignment, unsigned Space) const {
    return isBurst(Bytes, Alignment, Space);
  }
  bool isLegalToVectorizeStoreChain(unsigned Bytes, Align Alignment, unsigned Space) const {
    return isBurst(Bytes, Alignment, Space);
  }
  bool allowsMisalignedMemoryAccesses(LLVMContext&, unsigned Bits, unsigned Space, Align Alignment,
                                      unsigned* Fast) const {
    if (Fast)
      *Fast = 1;
    return isBurst(Bits / 8, Alignment, Space);
  }
  // In instructions; others take a register and a word or two.
  bool isLegalAddImmediate(int64_t Value) const { return Value >= -31 && Value <= 31; }
  bool isLegalICmpImmediate(int64_t Value) const { return Value >= 0 && Value <= 31; }
  // Loops are short of instructions rather than of registers.
  bool isLSRCostLess(const TargetTransformInfo::LSRCost& A,
                     const TargetTransformInfo::LSRCost& B) const {
    const auto Key = [](const TargetTransformInfo::LSRCost& Cost) {
      return std::tie(Cost.Insns, Cost.NumRegs, Cost.AddRecCost, Cost.NumIVMuls, Cost.NumBaseAdds,
                      Cost.ScaleCost, Cost.ImmCost, Cost.SetupCost);
    };
    return Key(A) < Key(B);
  }
  bool shouldBuildLookupTables() const { return false; }
  // Only loops that disappear: the control store is small, and a round's branch costs a few cycles.
  void getUnrollingPreferences(Loop*, ScalarEvolution&,
                               TargetTransformInfo::UnrollingPreferences& Preferences,
                               OptimizationRemarkEmitter*) const {
    constexpr unsigned kLargest = 48, kMostRounds = 4;  // IR instructions altogether; rounds
    Preferences.Threshold = kLargest;
    Preferences.OptSizeThreshold = kLargest / 2;
    Preferences.MaxPercentThresholdBoost = 100;
    Preferences.FullUnrollMaxCount = Preferences.MaxUpperBound = kMostRounds;
    Preferences.Partial = Preferences.Runtime = Preferences.AllowRemainder = false;
    Preferences.UpperBound = true;
  }

 private:
  static bool isBurst(unsigned Bytes, Align Alignment, unsigned Space) {
    Align Unit(Space == MicroengineAddressSpace::kSdram ? 8 : 4);
    return Space != MicroengineAddressSpace::kDefault && Alignment >= Unit &&
           (Bytes == 8 || Bytes == 16 || Bytes == 32);
  }

  const TargetSubtargetInfo* getST() const { return Subtarget; }
  const TargetLoweringBase* getTLI() const { return Lowering; }

  const MicroengineSubtarget* Subtarget;
  const TargetLoweringBase* Lowering;
};

}  // namespace llvm
