#include "compiler/backend/MicroengineISelLowering.h"

#include "compiler/backend/factor_terms.h"
#include "compiler/backend/MicroengineInstrInfo.h"
#include "compiler/backend/MicroengineMachineFunctionInfo.h"
#include "compiler/backend/MicroengineSubtarget.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static constexpr std::pair<MVT::SimpleValueType, const TargetRegisterClass*> BurstTypes[] = {
    {MVT::v2i32, &Microengine::SRAMRead_x2RegClass},
    {MVT::v3i32, &Microengine::SRAMRead_x3RegClass},
    {MVT::v4i32, &Microengine::SRAMRead_x4RegClass},
    {MVT::v5i32, &Microengine::SRAMRead_x5RegClass},
    {MVT::v6i32, &Microengine::SRAMRead_x6RegClass},
    {MVT::v7i32, &Microengine::SRAMRead_x7RegClass},
    {MVT::v8i32, &Microengine::SRAMRead_x8RegClass}};

MicroengineTargetLowering::MicroengineTargetLowering(const TargetMachine& Target,
                                                     const MicroengineSubtarget& Subtarget)
    : TargetLowering(Target) {
  addRegisterClass(MVT::i32, &Microengine::GPRRegClass);
  // A vector exists only between a burst read and the extraction of its longwords, in whichever
  // file it came.
  for (auto [Type, Class] : BurstTypes)
    addRegisterClass(Type, Class);
  computeRegisterProperties(Subtarget.getRegisterInfo());
  setBooleanContents(ZeroOrOneBooleanContent);
  setMinFunctionAlignment(Align(8));
  setMinimumJumpTableEntries(fewestMicroengineTableTargets());

  for (unsigned Opcode : {ISD::MULHS, ISD::MULHU, ISD::SMUL_LOHI, ISD::UMUL_LOHI, ISD::SDIV,
                          ISD::UDIV, ISD::SREM, ISD::UREM, ISD::SDIVREM, ISD::UDIVREM, ISD::ROTR,
                          ISD::BSWAP, ISD::CTPOP, ISD::CTLZ, ISD::SETCC, ISD::SELECT})
    setOperationAction(Opcode, MVT::i32, Expand);
  setOperationAction(ISD::BRCOND, MVT::Other, Expand);
  setOperationAction(ISD::BR_JT, MVT::Other, Custom);
  setOperationAction(ISD::TRAP, MVT::Other, Legal);
  for (MVT Type : {MVT::i1, MVT::i8, MVT::i16})
    setOperationAction(ISD::SIGN_EXTEND_INREG, Type, Custom);
  for (unsigned Opcode :
       {ISD::SRA, ISD::ROTL, ISD::MUL, ISD::CTTZ, ISD::SHL_PARTS, ISD::SRL_PARTS, ISD::SRA_PARTS})
    setOperationAction(Opcode, MVT::i32, Custom);
  for (unsigned Opcode : {ISD::ADD, ISD::SUB, ISD::MUL, ISD::BR_CC, ISD::SELECT_CC, ISD::SETCC})
    setOperationAction(Opcode, MVT::i64, Custom);

  for (MVT Type : {MVT::i1, MVT::i8, MVT::i16}) {
    for (unsigned Extension : {ISD::EXTLOAD, ISD::SEXTLOAD, ISD::ZEXTLOAD})
      setLoadExtAction(Extension, MVT::i32, Type, Expand);
    setTruncStoreAction(MVT::i32, Type, Expand);
  }
  for (auto [Type, Class] : BurstTypes) {
    for (unsigned Opcode = 0; Opcode != ISD::BUILTIN_OP_END; ++Opcode)
      setOperationAction(Opcode, Type, Expand);
    for (unsigned Opcode : {ISD::LOAD, ISD::EXTRACT_VECTOR_ELT})
      setOperationAction(Opcode, Type, Legal);
  }
  setTargetDAGCombine({ISD::BR, ISD::ADD, ISD::SUB, ISD::OR, ISD::XOR, ISD::BRCOND, ISD::BR_CC,
                       ISD::SELECT, ISD::SELECT_CC, ISD::CTTZ_ZERO_UNDEF, ISD::CTLZ_ZERO_UNDEF});
}

const char* MicroengineTargetLowering::getTargetNodeName(unsigned Opcode) const {
  switch (Opcode) {
    case MicroengineISD::ADD_PAIR: return "MicroengineISD::ADD_PAIR";
    case MicroengineISD::SUBTRACT_PAIR: return "MicroengineISD::SUBTRACT_PAIR";
    case MicroengineISD::SEARCH_HALVES: return "MicroengineISD::SEARCH_HALVES";
    case MicroengineISD::JUMP_TABLE: return "MicroengineISD::JUMP_TABLE";
    case MicroengineISD::PAIR_BRANCH: return "MicroengineISD::PAIR_BRANCH";
    case MicroengineISD::PAIR_SELECT: return "MicroengineISD::PAIR_SELECT";
    case MicroengineISD::EXIT: return "MicroengineISD::EXIT";
    case MicroengineISD::CALL: return "MicroengineISD::CALL";
    case MicroengineISD::RETURN: return "MicroengineISD::RETURN";
    case MicroengineISD::INTRINSIC: return "MicroengineISD::INTRINSIC";
    case MicroengineISD::STATE_VALUE: return "MicroengineISD::STATE_VALUE";
    case MicroengineISD::ANNOTATE: return "MicroengineISD::ANNOTATE";
    case MicroengineISD::READ_SHARED: return "MicroengineISD::READ_SHARED";
    case MicroengineISD::WRITE_SHARED: return "MicroengineISD::WRITE_SHARED";
    case MicroengineISD::ARRIVE: return "MicroengineISD::ARRIVE";
    default: return nullptr;
  }
}

bool MicroengineTargetLowering::isLegalAddressingMode(const DataLayout&, const AddrMode& Mode,
                                                      Type*, unsigned, Instruction*) const {
  if (Mode.BaseGV || Mode.Scale > 1 || Mode.Scale < 0)
    return false;
  bool TwoRegisters = Mode.HasBaseReg && Mode.Scale == 1;
  return TwoRegisters ? Mode.BaseOffs == 0 : isUInt<7>(Mode.BaseOffs);
}

static const TargetRegisterClass* classOfConstraint(StringRef Constraint) {
  if (Constraint.size() != 1)
    return nullptr;
  switch (Constraint.front()) {
    case 'r': return &Microengine::GPRRegClass;
    case 'a': return &Microengine::GPRARegClass;
    case 'b': return &Microengine::GPRBRegClass;
    case 's': return &Microengine::SRAMReadRegClass;
    case 'S': return &Microengine::SRAMWriteRegClass;
    case 'd': return &Microengine::SDRAMReadRegClass;
    case 'D': return &Microengine::SDRAMWriteRegClass;
    default: return nullptr;
  }
}

TargetLowering::ConstraintType MicroengineTargetLowering::getConstraintType(
    StringRef Constraint) const {
  return classOfConstraint(Constraint) ? C_RegisterClass
                                       : TargetLowering::getConstraintType(Constraint);
}

std::pair<unsigned, const TargetRegisterClass*>
MicroengineTargetLowering::getRegForInlineAsmConstraint(const TargetRegisterInfo* Registers,
                                                        StringRef Constraint, MVT Type) const {
  if (const TargetRegisterClass* Class = classOfConstraint(Constraint))
    return {0U, Class};
  return TargetLowering::getRegForInlineAsmConstraint(Registers, Constraint, Type);
}

// With the sign bit moved to bit 31 - n by a logical shift, (x ^ m) - m with m = that bit extends
// it.
static SDValue extendSign(SDValue Value, SDValue SignBit, const SDLoc& Location,
                          SelectionDAG& DAG) {
  SDValue Flipped = DAG.getNode(ISD::XOR, Location, MVT::i32, Value, SignBit);
  return DAG.getNode(ISD::SUB, Location, MVT::i32, Flipped, SignBit);
}

static SDValue lowerShiftRightArithmetic(SDValue Operation, SelectionDAG& DAG) {
  SDLoc Location(Operation);
  SDValue Value = Operation.getOperand(0), Amount = Operation.getOperand(1);
  SDValue Logical = DAG.getNode(ISD::SRL, Location, MVT::i32, Value, Amount);
  if (DAG.SignBitIsZero(Value))
    return Logical;
  if (auto* Constant = dyn_cast<ConstantSDNode>(Amount)) {
    if (Constant->getZExtValue() == 31)
      return DAG.getNode(ISD::SUB, Location, MVT::i32, DAG.getConstant(0, Location, MVT::i32),
                         Logical);
    SDValue SignBit =
        DAG.getConstant(0x80000000u >> (Constant->getZExtValue() & 31), Location, MVT::i32);
    return extendSign(Logical, SignBit, Location, DAG);
  }
  SDValue Top = DAG.getConstant(0x80000000u, Location, MVT::i32);
  return extendSign(Logical, DAG.getNode(ISD::SRL, Location, MVT::i32, Top, Amount), Location, DAG);
}

static SDValue lowerSignExtendInRegister(SDValue Operation, SelectionDAG& DAG) {
  SDLoc Location(Operation);
  unsigned Width = cast<VTSDNode>(Operation.getOperand(1))->getVT().getSizeInBits();
  SDValue Mask = DAG.getConstant((1u << Width) - 1, Location, MVT::i32);
  SDValue Low = DAG.getNode(ISD::AND, Location, MVT::i32, Operation.getOperand(0), Mask);
  if (Width == 1)
    return DAG.getNode(ISD::SUB, Location, MVT::i32, DAG.getConstant(0, Location, MVT::i32), Low);
  return extendSign(Low, DAG.getConstant(1u << (Width - 1), Location, MVT::i32), Location, DAG);
}

// Shifts and sums. Variable factors and dense ones are calls by now
// (transforms/ExpandArithmetic.cpp); what comes here is what LLVM forms itself: strides of arrays,
// sums that were combined.
static SDValue multiplyByConstant(SDValue Operation, SelectionDAG& DAG) {
  auto* Factor = dyn_cast<ConstantSDNode>(Operation.getOperand(1));
  if (!Factor)
    return SDValue();
  SDLoc Location(Operation);
  EVT Type = Operation.getValueType();
  SDValue Product;
  SmallVector<nplab::compiler::FactorTerm, 8> Terms =
      nplab::compiler::factor_terms(Factor->getAPIntValue());
  for (bool Negative : {false, true})
    for (nplab::compiler::FactorTerm Term : Terms) {
      if (Term.negative != Negative)
        continue;
      SDValue Part = Operation.getOperand(0);
      if (Term.exponent)
        Part = DAG.getNode(ISD::SHL, Location, Type, Part,
                           DAG.getShiftAmountConstant(Term.exponent, Type, Location));
      if (!Product && Negative)
        Product = DAG.getConstant(0, Location, Type);
      Product = Product ? DAG.getNode(Negative ? ISD::SUB : ISD::ADD, Location, Type, Product, Part)
                        : Part;
    }
  return Product ? Product : DAG.getConstant(0, Location, Type);
}

// A program that searches for bits itself reads what the last two searches found.
static bool searchesBits(const Module& Program) {
  return any_of(Program, [](const Function& Function) {
    if (Function.isDeclaration())
      return Function.getName().contains("bset") && !Function.use_empty();
    return any_of(instructions(Function), [](const Instruction& Instruction) {
      const auto* Call = dyn_cast<CallBase>(&Instruction);
      return Call && Call->isInlineAsm();
    });
  });
}

// The value is not 0. In the low half bit 8 of the result says so; what it and the number of the
// other half have beyond bit 4 goes with the mask.
static SDValue numberOfLowestBit(SDValue Value, const SDLoc& Location, SelectionDAG& DAG) {
  auto Constant = [&](unsigned Number) { return DAG.getConstant(Number, Location, MVT::i32); };
  constexpr unsigned kFound = 1u << 8;
  SDValue Low = DAG.getNode(MicroengineISD::SEARCH_HALVES, Location,
                            DAG.getVTList(MVT::i32, MVT::i32), Value);
  SDValue High = DAG.getNode(ISD::ADD, Location, MVT::i32, Low.getValue(1), Constant(16));
  SDValue InLow = DAG.getNode(ISD::AND, Location, MVT::i32, Low, Constant(kFound));
  SDValue Number = DAG.getSelectCC(Location, InLow, Constant(0), Low, High, ISD::SETNE);
  return DAG.getNode(ISD::AND, Location, MVT::i32, Number, Constant(31));
}

// The highest bit is the only one that is left of all ones below it less the half of them.
static SDValue countLeadingZeros(SDValue Value, const SDLoc& Location, SelectionDAG& DAG) {
  auto Halved = [&](SDValue Given, unsigned Times) {
    return DAG.getNode(ISD::SRL, Location, MVT::i32, Given,
                       DAG.getConstant(Times, Location, MVT::i32));
  };
  for (unsigned Distance = 1; Distance != 32; Distance *= 2)
    Value = DAG.getNode(ISD::OR, Location, MVT::i32, Value, Halved(Value, Distance));
  SDValue Highest = DAG.getNode(ISD::SUB, Location, MVT::i32, Value, Halved(Value, 1));
  return DAG.getNode(ISD::XOR, Location, MVT::i32, numberOfLowestBit(Highest, Location, DAG),
                     DAG.getConstant(31, Location, MVT::i32));
}

// Of the zeros below the lowest one. LLVM's own way would be a table in memory.
static SDValue lowerCountTrailingZeros(SDValue Operation, SelectionDAG& DAG) {
  SDLoc Location(Operation);
  SDValue Value = Operation.getOperand(0);
  SDValue Below = DAG.getNode(
      ISD::AND, Location, MVT::i32, DAG.getNOT(Location, Value, MVT::i32),
      DAG.getNode(ISD::SUB, Location, MVT::i32, Value, DAG.getConstant(1, Location, MVT::i32)));
  return DAG.getNode(ISD::CTPOP, Location, MVT::i32, Below);
}

SDValue MicroengineTargetLowering::LowerOperation(SDValue Operation, SelectionDAG& DAG) const {
  const bool FillsSlots = engineOptionsOf(DAG.getMachineFunction()).FillSlots;
  switch (Operation.getOpcode()) {
    case ISD::BR_CC:
    case ISD::SELECT_CC:
    case ISD::SETCC: return FillsSlots ? lowerMicroenginePair(Operation, DAG) : SDValue();
    case ISD::BR_JT: return lowerMicroengineJumpTable(Operation, DAG);
    case ISD::SRA: return lowerShiftRightArithmetic(Operation, DAG);
    case ISD::SIGN_EXTEND_INREG: return lowerSignExtendInRegister(Operation, DAG);
    case ISD::MUL: return multiplyByConstant(Operation, DAG);
    case ISD::CTTZ: return lowerCountTrailingZeros(Operation, DAG);
    case ISD::SHL_PARTS:
    case ISD::SRL_PARTS:
    case ISD::SRA_PARTS: {
      SDValue Low, High;
      expandShiftParts(Operation.getNode(), Low, High, DAG);
      return DAG.getMergeValues({Low, High}, SDLoc(Operation));
    }
    case ISD::ROTL:
      return isa<ConstantSDNode>(Operation.getOperand(1))
                 ? Operation
                 : expandROT(Operation.getNode(), true, DAG);
    default: return SDValue();
  }
}

void MicroengineTargetLowering::ReplaceNodeResults(SDNode* Node, SmallVectorImpl<SDValue>& Results,
                                                   SelectionDAG& DAG) const {
  if (Node->getOpcode() == ISD::MUL)
    if (SDValue Product = multiplyByConstant(SDValue(Node, 0), DAG))
      Results.push_back(Product);
  if (Node->getOpcode() != ISD::ADD && Node->getOpcode() != ISD::SUB)
    return;
  SDLoc Location(Node);
  auto [ALow, AHigh] = DAG.SplitScalar(Node->getOperand(0), Location, MVT::i32, MVT::i32);
  auto [BLow, BHigh] = DAG.SplitScalar(Node->getOperand(1), Location, MVT::i32, MVT::i32);
  bool IsAdd = Node->getOpcode() == ISD::ADD;
  if (!IsAdd)
    BHigh = DAG.getNOT(Location, BHigh, MVT::i32);
  SDValue Pair = DAG.getNode(IsAdd ? MicroengineISD::ADD_PAIR : MicroengineISD::SUBTRACT_PAIR,
                             Location, DAG.getVTList(MVT::i32, MVT::i32), ALow, BLow, AHigh, BHigh);
  Results.push_back(DAG.getNode(ISD::BUILD_PAIR, Location, MVT::i64, Pair, Pair.getValue(1)));
}

// A state branch exists for one sense only: "branch to T if the state is clear, else to F" becomes
// "branch to F if it is set, else to T".
static SDValue invertStateTest(SDNode* Node, SelectionDAG& DAG) {
  SDValue Test = Node->getOperand(0);
  if (Test.getOpcode() != ISD::BR_CC || !Test.hasOneUse())
    return SDValue();
  SDValue Value = Test.getOperand(2);
  if (Value.getOpcode() != MicroengineISD::STATE_VALUE || !isNullConstant(Test.getOperand(3)) ||
      cast<CondCodeSDNode>(Test.getOperand(1))->get() != ISD::SETEQ)
    return SDValue();
  SDLoc Location(Node);
  SDValue Inverted =
      DAG.getNode(ISD::BR_CC, Location, MVT::Other, Test.getOperand(0), DAG.getCondCode(ISD::SETNE),
                  Value, Test.getOperand(3), Node->getOperand(1));
  return DAG.getNode(ISD::BR, Location, MVT::Other, Inverted, Test.getOperand(4));
}

// n + (a < b) as a < b ? n + 1 : n, whose sum can take the comparison's carry
// (MicroengineSelects.cpp).
static SDValue chooseSum(SDNode* Node, SelectionDAG& DAG) {
  if (Node->getValueType(0) != MVT::i32)
    return SDValue();
  for (unsigned Side : {0u, 1u}) {
    SDValue Choice = Node->getOperand(Side), Other = Node->getOperand(1 - Side);
    if (Choice.getOpcode() != ISD::SELECT_CC || !Choice.hasOneUse() ||
        !isOneConstant(Choice.getOperand(2)) || !isNullConstant(Choice.getOperand(3)))
      continue;
    ISD::CondCode Code = cast<CondCodeSDNode>(Choice.getOperand(4))->get();
    if (!ISD::isUnsignedIntSetCC(Code) && !ISD::isIntEqualitySetCC(Code))
      continue;
    SDLoc Location(Node);
    SDValue More =
        DAG.getNode(ISD::ADD, Location, MVT::i32, Other, DAG.getConstant(1, Location, MVT::i32));
    return DAG.getNode(ISD::SELECT_CC, Location, MVT::i32, Choice.getOperand(0),
                       Choice.getOperand(1), More, Other, Choice.getOperand(4));
  }
  return SDValue();
}

// Whether selection leaves no branch of it at -O2 (MicroengineSelects.cpp): 1 or 0 by an unsigned
// order or equality, and what is added where a value is negative.
static bool takesNoBranch(SDValue Choice) {
  const ISD::CondCode Code = cast<CondCodeSDNode>(Choice.getOperand(4))->get();
  const bool IsFlag = isOneConstant(Choice.getOperand(2)) || isOneConstant(Choice.getOperand(3));
  const bool TestsSign =
      isNullConstant(Choice.getOperand(1)) || isAllOnesConstant(Choice.getOperand(1));
  return (IsFlag && (ISD::isUnsignedIntSetCC(Code) || ISD::isIntEqualitySetCC(Code))) ||
         (TestsSign && ISD::isSignedIntSetCC(Code));
}

// x + (a < b ? y : 0) as a < b ? x + y : x, of which only one outcome computes
// (MicroengineChoices.cpp). The same for differences, and for bits.
static SDValue chooseResult(SDNode* Node, SelectionDAG& DAG) {
  if (Node->getValueType(0) != MVT::i32)
    return SDValue();
  const unsigned Opcode = Node->getOpcode();
  for (unsigned Side : {1u, 0u}) {
    if (Side == 0 && Opcode == ISD::SUB)
      continue;
    SDValue Choice = Node->getOperand(Side), Other = Node->getOperand(1 - Side);
    if (Choice.getOpcode() != ISD::SELECT_CC || !Choice.hasOneUse() || isa<ConstantSDNode>(Other))
      continue;
    if (!DAG.shouldOptForSize() && Opcode != ISD::ADD && takesNoBranch(Choice))
      continue;
    const bool OtherIfTrue = isNullConstant(Choice.getOperand(2));
    if (!OtherIfTrue && !isNullConstant(Choice.getOperand(3)))
      continue;
    SDLoc Location(Node);
    SDValue Result =
        DAG.getNode(Opcode, Location, MVT::i32, Other, Choice.getOperand(OtherIfTrue ? 3 : 2));
    return DAG.getNode(ISD::SELECT_CC, Location, MVT::i32, Choice.getOperand(0),
                       Choice.getOperand(1), OtherIfTrue ? Other : Result,
                       OtherIfTrue ? Result : Other, Choice.getOperand(4));
  }
  return SDValue();
}

// x < 2^n as x >> n == 0 if x >> n is needed anyway: it sets the condition codes.
static SDValue testShifted(SDNode* Node, SelectionDAG& DAG) {
  auto* Limit = dyn_cast<ConstantSDNode>(Node->getOperand(3));
  const ISD::CondCode Code = cast<CondCodeSDNode>(Node->getOperand(1))->get();
  SDValue Value = Node->getOperand(2);
  if (!Limit || Value.getValueType() != MVT::i32)
    return SDValue();
  const bool IsBelow = Code == ISD::SETULT;
  const APInt Power = IsBelow ? Limit->getAPIntValue() : Limit->getAPIntValue() + 1;
  if ((!IsBelow && Code != ISD::SETUGT) || !Power.isPowerOf2() || Power.isOne())
    return SDValue();
  SDLoc Location(Node);
  SDValue Amount = DAG.getShiftAmountConstant(Power.logBase2(), MVT::i32, Location);
  SDNode* Shifted = DAG.getNodeIfExists(ISD::SRL, DAG.getVTList(MVT::i32), {Value, Amount});
  if (!Shifted)
    return SDValue();
  return DAG.getNode(ISD::BR_CC, Location, MVT::Other, Node->getOperand(0),
                     DAG.getCondCode(IsBelow ? ISD::SETEQ : ISD::SETNE), SDValue(Shifted, 0),
                     DAG.getConstant(0, Location, MVT::i32), Node->getOperand(4));
}

// Numbers of bits of what is not 0.
static SDValue searchForBit(SDNode* Node, SelectionDAG& DAG) {
  if (Node->getValueType(0) != MVT::i32 ||
      searchesBits(*DAG.getMachineFunction().getFunction().getParent()))
    return SDValue();
  SDLoc Location(Node);
  return Node->getOpcode() == ISD::CTTZ_ZERO_UNDEF
             ? numberOfLowestBit(Node->getOperand(0), Location, DAG)
             : countLeadingZeros(Node->getOperand(0), Location, DAG);
}

SDValue MicroengineTargetLowering::PerformDAGCombine(SDNode* Node,
                                                     DAGCombinerInfo& Combiner) const {
  if (Node->getOpcode() == ISD::BR)
    return invertStateTest(Node, Combiner.DAG);
  const auto& Options =
      static_cast<const MicroengineTargetMachine&>(getTargetMachine()).engineOptions();
  if (!Options.FillSlots)
    return SDValue();
  SelectionDAG& DAG = Combiner.DAG;
  switch (Node->getOpcode()) {
    case ISD::CTTZ_ZERO_UNDEF:
    case ISD::CTLZ_ZERO_UNDEF: return searchForBit(Node, DAG);
    case ISD::ADD:
      if (SDValue Sum = DAG.shouldOptForSize() ? SDValue() : chooseSum(Node, DAG))
        return Sum;
      return chooseResult(Node, DAG);
    case ISD::SUB:
    case ISD::OR:
    case ISD::XOR: return chooseResult(Node, DAG);
    case ISD::BR_CC:
      if (SDValue Test = testShifted(Node, DAG))
        return Test;
      [[fallthrough]];
    default: return combineMicroenginePair(Node, DAG);  // nodes of our own come here too
  }
}
