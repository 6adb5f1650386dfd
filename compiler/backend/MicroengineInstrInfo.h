// Instructions: copies, branches and the rule that two general-purpose sources come from different
// banks.
#pragma once

#include "compiler/backend/MicroengineInstructionFacts.h"
#include "compiler/backend/MicroengineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"

#define GET_INSTRINFO_HEADER
#include "isa/MicroengineGenInstrInfo.inc"

namespace llvm {
namespace Microengine {

// Flags of symbol operands.
enum SymbolHalf : unsigned { kWholeSymbol, kLowHalf, kHighHalf };

// What a compare-and-branch tests after a - b. The unsigned orders read the carry: a - b carries
// when a >= b. The last two are for SELECT_ri alone: bit b of a.
enum class Condition {
  kEqual,
  kNotEqual,
  kGreater,
  kGreaterEqual,
  kLess,
  kLessEqual,
  kAbove,
  kAboveEqual,
  kBelow,
  kBelowEqual,
  kBitSet,
  kBitClear
};
Condition invert(Condition Test);

inline bool isFileRead(const TargetRegisterClass& Class) {
  return SRAMReadRegClass.hasSubClassEq(&Class) || SDRAMReadRegClass.hasSubClassEq(&Class);
}
inline bool isFileWrite(const TargetRegisterClass& Class) {
  return SRAMWriteRegClass.hasSubClassEq(&Class) || SDRAMWriteRegClass.hasSubClassEq(&Class);
}

inline constexpr int64_t kSignBit = 31;  // of a longword

}  // namespace Microengine

class MicroengineInstrInfo : public MicroengineGenInstrInfo {
 public:
  MicroengineInstrInfo();

  const MicroengineRegisterInfo& getRegisterInfo() const { return Registers; }

  void copyPhysReg(MachineBasicBlock& Block, MachineBasicBlock::iterator Position,
                   const DebugLoc& Location, MCRegister Destination, MCRegister Source,
                   bool KillSource) const override;
  void storeRegToStackSlot(MachineBasicBlock& Block, MachineBasicBlock::iterator Position,
                           Register Value, bool IsKill, int FrameIndex, const TargetRegisterClass*,
                           const TargetRegisterInfo*, Register) const override;
  void loadRegFromStackSlot(MachineBasicBlock& Block, MachineBasicBlock::iterator Position,
                            Register Destination, int FrameIndex, const TargetRegisterClass*,
                            const TargetRegisterInfo*, Register) const override;

  bool analyzeBranch(MachineBasicBlock& Block, MachineBasicBlock*& Taken,
                     MachineBasicBlock*& NotTaken, SmallVectorImpl<MachineOperand>& Test,
                     bool AllowModify) const override;
  unsigned removeBranch(MachineBasicBlock& Block, int* BytesRemoved) const override;
  unsigned insertBranch(MachineBasicBlock& Block, MachineBasicBlock* Taken,
                        MachineBasicBlock* NotTaken, ArrayRef<MachineOperand> Test,
                        const DebugLoc& Location, int* BytesAdded) const override;
  bool reverseBranchCondition(SmallVectorImpl<MachineOperand>& Test) const override;

  // Names of the flags of memory operands, for MIR.
  ArrayRef<std::pair<MachineMemOperand::Flags, const char*>>
  getSerializableMachineMemOperandTargetFlags() const override;

  bool verifyInstruction(const MachineInstr& Instruction, StringRef& Error) const override;

  // Pairs of operands that are read in one cycle through the two ports of the register file.
  SmallVector<std::pair<unsigned, unsigned>, 2> portPairs(const MachineInstr& Instruction) const;

 private:
  MicroengineRegisterInfo Registers;
};

}  // namespace llvm
