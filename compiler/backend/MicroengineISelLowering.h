// How LLVM's operations map to what the microengine has: no multiply, divide, arithmetic right
// shift or 64-bit registers.
#pragma once

#include "llvm/CodeGen/TargetLowering.h"

namespace llvm {

class MicroengineSubtarget;

namespace MicroengineISD {
enum NodeType : unsigned {
  First = ISD::BUILTIN_OP_END,
  ADD_PAIR,       // low, high = a_low, b_low, a_high, b_high
  SUBTRACT_PAIR,  // the same; the last operand is the complement of b_high
  SEARCH_HALVES,  // low, high = value: the lowest bit set of each half
  JUMP_TABLE,     // chain, number of the entry, table
  PAIR_BRANCH,    // chain, a_low, b_low, a_high, the complement of b_high, condition, target
  PAIR_SELECT,    // the same four, if true, if not, condition
  EXIT,           // the thread ends
  CALL,           // chain, function, number of the return address's register, registers, mask, glue
  RETURN,         // chain, return address, registers, glue
  INTRINSIC,      // chain, number in the table, arguments
  STATE_VALUE,    // chain, opcode of a state branch, selector: 1 if it would be taken
  ANNOTATE,       // chain, kind, up to two values
  READ_SHARED,    // chain, number
  WRITE_SHARED,   // chain, number, value
  ARRIVE,  // chain, result of a reference that did not block: the same, once the wait in front has
           // ended
};
// In the number of an INTRINSIC: the reference signals instead of blocking.
inline constexpr unsigned StartsFlag = 1u << 16;
}  // namespace MicroengineISD

// Metadata of accesses that C does not call volatile, and the flag of their memory operands. To
// LLVM all are volatile by the time of selection (transforms/LowerMemory.h).
inline constexpr char MicroengineOrdinaryMetadata[] = "microengine.ordinary";
inline constexpr MachineMemOperand::Flags MicroengineOrdinaryAccess =
    MachineMemOperand::MOTargetFlag1;

class MicroengineTargetLowering : public TargetLowering {
 public:
  MicroengineTargetLowering(const TargetMachine& Target, const MicroengineSubtarget& Subtarget);

  const char* getTargetNodeName(unsigned Opcode) const override;
  SDValue LowerOperation(SDValue Operation, SelectionDAG& DAG) const override;
  void ReplaceNodeResults(SDNode* Node, SmallVectorImpl<SDValue>& Results,
                          SelectionDAG& DAG) const override;
  SDValue PerformDAGCombine(SDNode* Node, DAGCombinerInfo& Combiner) const override;
  SDValue LowerFormalArguments(SDValue Chain, CallingConv::ID, bool,
                               const SmallVectorImpl<ISD::InputArg>& Arguments,
                               const SDLoc& Location, SelectionDAG& DAG,
                               SmallVectorImpl<SDValue>& Values) const override;
  SDValue LowerReturn(SDValue Chain, CallingConv::ID, bool, const SmallVectorImpl<ISD::OutputArg>&,
                      const SmallVectorImpl<SDValue>& Values, const SDLoc& Location,
                      SelectionDAG& DAG) const override;
  SDValue LowerCall(CallLoweringInfo& Call, SmallVectorImpl<SDValue>& Values) const override;
  MachineBasicBlock* EmitInstrWithCustomInserter(MachineInstr& Instruction,
                                                 MachineBasicBlock* Block) const override;

  // Inline assembly: a, b the banks, s and S an SRAM read and write transfer register, d and D of
  // SDRAM.
  ConstraintType getConstraintType(StringRef Constraint) const override;
  std::pair<unsigned, const TargetRegisterClass*> getRegForInlineAsmConstraint(
      const TargetRegisterInfo* Registers, StringRef Constraint, MVT Type) const override;

  MachineMemOperand::Flags getTargetMMOFlags(const Instruction& Access) const override {
    return Access.hasMetadata(MicroengineOrdinaryMetadata) ? MicroengineOrdinaryAccess
                                                           : MachineMemOperand::MONone;
  }
  bool isLegalAddressingMode(const DataLayout&, const AddrMode& Mode, Type*, unsigned,
                             Instruction*) const override;
  bool isOffsetFoldingLegal(const GlobalAddressSDNode*) const override {
    return false;
  }  // references have offsets
  bool areJTsAllowed(const Function* Function) const override;
  bool isSuitableForJumpTable(const SwitchInst* Switch, uint64_t Cases, uint64_t Range,
                              ProfileSummaryInfo*, BlockFrequencyInfo*) const override;
  unsigned getJumpTableEncoding() const override;
  bool isIntDivCheap(EVT, AttributeList) const override { return true; }
  // Bursts need no more than their unit's alignment, which LowerMemory has seen to.
  bool allowsMisalignedMemoryAccesses(EVT, unsigned, Align Alignment, MachineMemOperand::Flags,
                                      unsigned* Fast) const override {
    if (Fast)
      *Fast = 1;
    return Alignment >= Align(4);
  }
  // Narrower accesses and merged stores would only be taken apart again:
  // transforms/LowerMemory.cpp.
  bool shouldReduceLoadWidth(SDNode*, ISD::LoadExtType, EVT) const override { return false; }
  bool canMergeStoresTo(unsigned, EVT, const MachineFunction&) const override { return false; }
};

// A branch, choice or value by an order of 64 bits; null if it is left to LLVM.
SDValue lowerMicroenginePair(SDValue Operation, SelectionDAG& DAG);
// What tests the value of such an order, as a branch or choice by the order itself; or null.
SDValue combineMicroenginePair(SDNode* Node, SelectionDAG& DAG);

// Of a table, and of the targets that make one worth while.
inline constexpr uint64_t MicroengineMostTableEntries = 256;
unsigned fewestMicroengineTableTargets();
SDValue lowerMicroengineJumpTable(SDValue Jump, SelectionDAG& DAG);

// A call of a function of the program; the chain after it.
SDValue lowerMicroengineFunctionCall(TargetLowering::CallLoweringInfo& Call, const Function& Callee,
                                     SmallVectorImpl<SDValue>& Values);

}  // namespace llvm
