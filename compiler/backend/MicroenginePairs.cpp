// Orders of two values of 64 bits, as nodes of the selection DAG: the codes of a difference tell
// them, in three words and a branch. Equality is left to LLVM, which combines the halves.
#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineISelLowering.h"
#include "llvm/CodeGen/SelectionDAG.h"

using namespace llvm;
using Microengine::Condition;

namespace {

// An order of two values of 64 bits as that of a difference's halves; none for what a sum of the
// halves or one of them tells. The last operand is the condition, a Microengine::Condition.
SmallVector<SDValue, 5> pairComparison(SDValue Left, SDValue Right, ISD::CondCode Code,
                                       const SDLoc& Location, SelectionDAG& DAG) {
  auto* Constant = dyn_cast<ConstantSDNode>(Right);
  const bool TestsSign =
      Constant && ISD::isSignedIntSetCC(Code) && (Constant->isZero() || Constant->isAllOnes());
  if (ISD::isIntEqualitySetCC(Code) || Left.getValueType() != MVT::i64 || TestsSign)
    return {};
  const bool IsSigned = ISD::isSignedIntSetCC(Code);
  if (Code == ISD::SETGT || Code == ISD::SETUGT || Code == ISD::SETLE || Code == ISD::SETULE) {
    const bool IsLast =
        Constant && (IsSigned ? Constant->isMaxSignedValue() : Constant->isAllOnes());
    if (Constant && !IsLast) {  // a > c is a >= c + 1
      Right = DAG.getConstant(Constant->getAPIntValue() + 1, Location, MVT::i64);
      Code = Code == ISD::SETGT    ? ISD::SETGE
             : Code == ISD::SETUGT ? ISD::SETUGE
             : Code == ISD::SETLE  ? ISD::SETLT
                                   : ISD::SETULT;
    } else {
      std::swap(Left, Right);
      Code = ISD::getSetCCSwappedOperands(Code);
    }
  }
  const Condition Test = Code == ISD::SETLT    ? Condition::kLess
                         : Code == ISD::SETGE  ? Condition::kGreaterEqual
                         : Code == ISD::SETULT ? Condition::kBelow
                                               : Condition::kAboveEqual;
  auto [ALow, AHigh] = DAG.SplitScalar(Left, Location, MVT::i32, MVT::i32);
  auto [BLow, BHigh] = DAG.SplitScalar(Right, Location, MVT::i32, MVT::i32);
  return {ALow, BLow, AHigh, DAG.getNOT(Location, BHigh, MVT::i32),
          DAG.getTargetConstant(static_cast<unsigned>(Test), Location, MVT::i32)};
}

SDValue lowerPairBranch(SDValue Branch, SelectionDAG& DAG) {
  SDLoc Location(Branch);
  SmallVector<SDValue, 7> Operands =
      pairComparison(Branch.getOperand(2), Branch.getOperand(3),
                     cast<CondCodeSDNode>(Branch.getOperand(1))->get(), Location, DAG);
  if (Operands.empty())
    return SDValue();
  Operands.insert(Operands.begin(), Branch.getOperand(0));
  Operands.push_back(Branch.getOperand(4));
  return DAG.getNode(MicroengineISD::PAIR_BRANCH, Location, MVT::Other, Operands);
}

// A choice of one of two longwords, or of 1 and 0.
SDValue lowerPairChoice(SDValue Choice, SelectionDAG& DAG) {
  SDLoc Location(Choice);
  const bool IsValue = Choice.getOpcode() == ISD::SETCC;
  if (Choice.getValueType() != MVT::i32)
    return SDValue();
  SmallVector<SDValue, 7> Operands = pairComparison(
      Choice.getOperand(0), Choice.getOperand(1),
      cast<CondCodeSDNode>(Choice.getOperand(IsValue ? 2 : 4))->get(), Location, DAG);
  if (Operands.empty())
    return SDValue();
  SDValue Test = Operands.pop_back_val();
  Operands.append({IsValue ? DAG.getConstant(1, Location, MVT::i32) : Choice.getOperand(2),
                   IsValue ? DAG.getConstant(0, Location, MVT::i32) : Choice.getOperand(3), Test});
  return DAG.getNode(MicroengineISD::PAIR_SELECT, Location, MVT::i32, Operands);
}

// The choice of 1 or 0 by an order of 64 bits that a condition is; null if it is none.
SDNode* pairTestOf(SDValue Test) {
  while (Test.getOpcode() == ISD::AssertZext || Test.getOpcode() == ISD::ZERO_EXTEND ||
         Test.getOpcode() == ISD::TRUNCATE ||
         (Test.getOpcode() == ISD::AND && isOneConstant(Test.getOperand(1))))
    Test = Test.getOperand(0);
  const bool IsTest = Test.getOpcode() == MicroengineISD::PAIR_SELECT &&
                      isOneConstant(Test.getOperand(4)) && isNullConstant(Test.getOperand(5));
  return IsTest ? Test.getNode() : nullptr;
}

// The condition of the pair, or its opposite.
SDValue conditionOf(const SDNode& Pair, bool IsInverted, SelectionDAG& DAG) {
  auto Test = static_cast<Condition>(Pair.getConstantOperandVal(6));
  if (IsInverted)
    Test = Microengine::invert(Test);
  return DAG.getTargetConstant(static_cast<unsigned>(Test), SDLoc(&Pair), MVT::i32);
}

SDValue branchOnPair(SDNode* Branch, SDNode* Pair, bool IsInverted, SDValue Target,
                     SelectionDAG& DAG) {
  return DAG.getNode(
      MicroengineISD::PAIR_BRANCH, SDLoc(Branch), MVT::Other,
      {Branch->getOperand(0), Pair->getOperand(0), Pair->getOperand(1), Pair->getOperand(2),
       Pair->getOperand(3), conditionOf(*Pair, IsInverted, DAG), Target});
}

SDValue chooseByPair(SDNode* Choice, SDNode* Pair, bool IsInverted, SDValue IfTrue, SDValue IfFalse,
                     SelectionDAG& DAG) {
  if (Choice->getValueType(0) != MVT::i32)
    return SDValue();
  return DAG.getNode(MicroengineISD::PAIR_SELECT, SDLoc(Choice), MVT::i32,
                     {Pair->getOperand(0), Pair->getOperand(1), Pair->getOperand(2),
                      Pair->getOperand(3), IfTrue, IfFalse, conditionOf(*Pair, IsInverted, DAG)});
}

}  // namespace

SDValue llvm::lowerMicroenginePair(SDValue Operation, SelectionDAG& DAG) {
  return Operation.getOpcode() == ISD::BR_CC ? lowerPairBranch(Operation, DAG)
                                             : lowerPairChoice(Operation, DAG);
}

SDValue llvm::combineMicroenginePair(SDNode* Node, SelectionDAG& DAG) {
  const bool ComparesWithZero =
      (Node->getOpcode() == ISD::BR_CC && isNullConstant(Node->getOperand(3))) ||
      (Node->getOpcode() == ISD::SELECT_CC && isNullConstant(Node->getOperand(1)));
  const unsigned CodeOperand = Node->getOpcode() == ISD::BR_CC ? 1 : 4;
  const ISD::CondCode Code =
      ComparesWithZero ? cast<CondCodeSDNode>(Node->getOperand(CodeOperand))->get() : ISD::SETNE;
  if (Code != ISD::SETNE && Code != ISD::SETEQ)
    return SDValue();
  const bool IsInverted = Code == ISD::SETEQ;
  switch (Node->getOpcode()) {
    case ISD::BRCOND:
      if (SDNode* Pair = pairTestOf(Node->getOperand(1)))
        return branchOnPair(Node, Pair, IsInverted, Node->getOperand(2), DAG);
      break;
    case ISD::SELECT:
      if (SDNode* Pair = pairTestOf(Node->getOperand(0)))
        return chooseByPair(Node, Pair, IsInverted, Node->getOperand(1), Node->getOperand(2), DAG);
      break;
    case ISD::BR_CC:
      if (SDNode* Pair = ComparesWithZero ? pairTestOf(Node->getOperand(2)) : nullptr)
        return branchOnPair(Node, Pair, IsInverted, Node->getOperand(4), DAG);
      break;
    case ISD::SELECT_CC:
      if (SDNode* Pair = ComparesWithZero ? pairTestOf(Node->getOperand(0)) : nullptr)
        return chooseByPair(Node, Pair, IsInverted, Node->getOperand(2), Node->getOperand(3), DAG);
      break;
    default: break;
  }
  return SDValue();
}
