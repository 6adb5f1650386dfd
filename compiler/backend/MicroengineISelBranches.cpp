// Selection of branches and selects: a test of one bit, of one byte or of a state is a branch by
// itself; every other condition is compared first.
#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineISelDAGToDAG.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using Microengine::Condition;

static Condition conditionOf(ISD::CondCode Code) {
  switch (Code) {
    case ISD::SETEQ: return Condition::kEqual;
    case ISD::SETNE: return Condition::kNotEqual;
    case ISD::SETGT: return Condition::kGreater;
    case ISD::SETGE: return Condition::kGreaterEqual;
    case ISD::SETLT: return Condition::kLess;
    case ISD::SETLE: return Condition::kLessEqual;
    case ISD::SETUGT: return Condition::kAbove;
    case ISD::SETUGE: return Condition::kAboveEqual;
    case ISD::SETULT: return Condition::kBelow;
    case ISD::SETULE: return Condition::kBelowEqual;
    default: llvm_unreachable("not an order of integers");
  }
}

// Operands of ISD::BR_CC: chain, condition, left, right, target.
SDNode* MicroengineDAGToDAGISel::stateBranch(SDNode* Node) {
  SDValue State = Node->getOperand(2);
  if (State.getOpcode() != MicroengineISD::STATE_VALUE || !State.hasOneUse() ||
      !isNullConstant(Node->getOperand(3)) ||
      cast<CondCodeSDNode>(Node->getOperand(1))->get() != ISD::SETNE ||
      Node->getOperand(0) != State.getValue(1))
    return nullptr;
  SDLoc Location(Node);
  return CurDAG->getMachineNode(
      State.getConstantOperandVal(1), Location, MVT::Other,
      {State.getOperand(2), Node->getOperand(4), immediate(0, Location), State.getOperand(0)});
}

SDNode* MicroengineDAGToDAGISel::bitBranch(SDNode* Node) {
  ISD::CondCode Code = cast<CondCodeSDNode>(Node->getOperand(1))->get();
  SDValue Left = Node->getOperand(2), Right = Node->getOperand(3);
  SDLoc Location(Node);
  auto Branch = [&](bool IfSet, SDValue Value, unsigned Bit) {
    return CurDAG->getMachineNode(IfSet ? Microengine::BR_BSET : Microengine::BR_BCLR, Location,
                                  MVT::Other,
                                  {Value, immediate(Bit, Location), Node->getOperand(4),
                                   immediate(0, Location), Node->getOperand(0)});
  };
  if (Code == ISD::SETLT && isNullConstant(Right))
    return Branch(true, Left, 31);
  if (Code == ISD::SETGE && isNullConstant(Right))
    return Branch(false, Left, 31);
  if (Code == ISD::SETGT && isAllOnesConstant(Right))
    return Branch(false, Left, 31);
  if ((Code != ISD::SETEQ && Code != ISD::SETNE) || !isNullConstant(Right))
    return nullptr;
  if (Left.getOpcode() == ISD::AND)
    if (auto* Mask = dyn_cast<ConstantSDNode>(Left.getOperand(1));
        Mask && Mask->getAPIntValue().isPowerOf2())
      return Branch(Code == ISD::SETNE, Left.getOperand(0), Mask->getAPIntValue().logBase2());
  APInt Unknown = ~CurDAG->computeKnownBits(Left).Zero;
  if (Unknown.isPowerOf2())
    return Branch(Code == ISD::SETNE, Left, Unknown.logBase2());
  return nullptr;
}

// br=byte compares one byte with a constant; byte 0 is the least significant.
SDNode* MicroengineDAGToDAGISel::byteBranch(SDNode* Node) {
  ISD::CondCode Code = cast<CondCodeSDNode>(Node->getOperand(1))->get();
  auto* Constant = dyn_cast<ConstantSDNode>(Node->getOperand(3));
  if ((Code != ISD::SETEQ && Code != ISD::SETNE) || !Constant)
    return nullptr;
  SDValue Value = Node->getOperand(2);
  uint64_t Wanted = Constant->getZExtValue();
  uint64_t Possible = (~CurDAG->computeKnownBits(Value).Zero).getZExtValue();
  unsigned Byte = 0;
  while (Byte != 4 && Possible & ~(0xffull << (8 * Byte)))
    ++Byte;
  if (Byte == 4 || Wanted & ~(0xffull << (8 * Byte)) || Wanted == 0)
    return nullptr;
  Wanted >>= 8 * Byte;
  if (Value.getOpcode() == ISD::AND && isa<ConstantSDNode>(Value.getOperand(1)) &&
      Value.getConstantOperandVal(1) == 0xffull << (8 * Byte)) {
    Value = Value.getOperand(0);
    if (Byte == 0 && Value.getOpcode() == ISD::SRL && isa<ConstantSDNode>(Value.getOperand(1)) &&
        Value.getConstantOperandVal(1) % 8 == 0) {
      Byte = Value.getConstantOperandVal(1) / 8;
      Value = Value.getOperand(0);
    }
  }
  SDLoc Location(Node);
  return CurDAG->getMachineNode(
      Code == ISD::SETEQ ? Microengine::BR_EQ_BYTE : Microengine::BR_NE_BYTE, Location, MVT::Other,
      {Value, immediate(Byte, Location), immediate(Wanted, Location), Node->getOperand(4),
       immediate(0, Location), Node->getOperand(0)});
}

void MicroengineDAGToDAGISel::selectBranch(SDNode* Node) {
  SDNode* Branch = stateBranch(Node);
  if (!Branch)
    Branch = bitBranch(Node);
  if (!Branch)
    Branch = byteBranch(Node);
  if (!Branch) {
    SDLoc Location(Node);
    SDValue Right = Node->getOperand(3);
    unsigned Opcode = Microengine::COMPARE_BRANCH_rr;
    if (auto* Constant = dyn_cast<ConstantSDNode>(Right);
        Constant && isUInt<5>(Constant->getZExtValue())) {
      Right = immediate(Constant->getZExtValue(), Location);
      Opcode = Microengine::COMPARE_BRANCH_ri;
    }
    Condition Test = conditionOf(cast<CondCodeSDNode>(Node->getOperand(1))->get());
    Branch = CurDAG->getMachineNode(
        Opcode, Location, MVT::Other,
        {Node->getOperand(2), Right, immediate(static_cast<unsigned>(Test), Location),
         Node->getOperand(4), Node->getOperand(0)});
  }
  ReplaceNode(Node, Branch);
}

void MicroengineDAGToDAGISel::selectSelect(SDNode* Node) {
  SDLoc Location(Node);
  SDValue Right = Node->getOperand(1);
  Condition Test = conditionOf(cast<CondCodeSDNode>(Node->getOperand(4))->get());
  if (Options.FillSlots && Test == Condition::kGreater && isAllOnesConstant(Right)) {
    Test = Condition::kGreaterEqual;
    Right = CurDAG->getConstant(0, Location, MVT::i32);
  }
  unsigned Opcode = Microengine::SELECT_rr;
  if (auto* Constant = dyn_cast<ConstantSDNode>(Right);
      Constant && isUInt<5>(Constant->getZExtValue())) {
    Right = immediate(Constant->getZExtValue(), Location);
    Opcode = Microengine::SELECT_ri;
  }
  SDValue Left = Node->getOperand(0);
  bool TestsZero = Options.FillSlots &&
                   (Test == Condition::kEqual || Test == Condition::kNotEqual) &&
                   isNullConstant(Node->getOperand(1));
  auto* Mask = TestsZero && Left.getOpcode() == ISD::AND
                   ? dyn_cast<ConstantSDNode>(Left.getOperand(1))
                   : nullptr;
  if (Mask && Mask->getAPIntValue().isPowerOf2()) {
    Test = Test == Condition::kNotEqual ? Condition::kBitSet : Condition::kBitClear;
    Right = immediate(Mask->getAPIntValue().logBase2(), Location);
    Left = Left.getOperand(0);
  }
  ReplaceNode(Node, CurDAG->getMachineNode(Opcode, Location, MVT::i32,
                                           {Left, Right, Node->getOperand(2), Node->getOperand(3),
                                            immediate(static_cast<unsigned>(Test), Location)}));
}
