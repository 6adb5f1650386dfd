// Instruction selection. ALU instructions come from the patterns in code_generation.td; constants,
// references and intrinsics are chosen here because their choice looks at values; branches in
// MicroengineISelBranches.cpp.
#include "compiler/backend/MicroengineISelDAGToDAG.h"
#include "compiler/backend/Microengine.h"
#include "llvm/IR/DiagnosticInfo.h"

#define DEBUG_TYPE "microengine-isel"
#define PASS_NAME "microengine instruction selection"

using namespace llvm;

static bool isByteMask(uint32_t Value) {
  for (unsigned Byte = 0; Byte != 4; ++Byte)
    if (uint8_t Bits = Value >> (8 * Byte); Bits != 0 && Bits != 0xff)
      return false;
  return Value != 0 && Value != ~0u;
}
static unsigned byteMaskOf(uint32_t Value) {
  unsigned Mask = 0;
  for (unsigned Byte = 0; Byte != 4; ++Byte)
    Mask |= ((Value >> (8 * Byte)) & 1) << Byte;
  return Mask;
}

namespace {

// immed loads 16 bits 0, 8 or 16 bits up; bit 2 of the position fills the rest with ones.
struct ImmediateForm {
  unsigned Bits;
  unsigned Position;
};
std::optional<ImmediateForm> immediateForm(uint32_t Value) {
  for (unsigned Position = 0; Position != 3; ++Position) {
    uint32_t Window = 0xffffu << (8 * Position);
    if ((Value & ~Window) == 0)
      return ImmediateForm{(Value & Window) >> (8 * Position), Position};
    if ((Value | Window) == ~0u)
      return ImmediateForm{(Value & Window) >> (8 * Position), Position | 4};
  }
  return std::nullopt;
}

}  // namespace

#define GET_DAGISEL_BODY MicroengineDAGToDAGISel
#include "isa/MicroengineGenDAGISel.inc"
#undef GET_DAGISEL_BODY

SDValue MicroengineDAGToDAGISel::constant(uint32_t Value, const SDLoc& Location) {
  SDNode* Load;
  if (std::optional<ImmediateForm> Form = immediateForm(Value))
    Load = CurDAG->getMachineNode(Microengine::IMMED, Location, MVT::i32,
                                  immediate(Form->Bits, Location),
                                  immediate(Form->Position, Location));
  else
    Load = CurDAG->getMachineNode(Microengine::LOAD_CONSTANT, Location, MVT::i32,
                                  immediate(Value, Location));
  return SDValue(Load, 0);
}

// A shift takes the low five bits of its amount: a mask that keeps them does nothing.
bool MicroengineDAGToDAGISel::selectShiftAmount(SDValue Given, SDValue& Amount) {
  constexpr uint64_t AmountBits = 31;
  Amount = Given;
  if (isa<ConstantSDNode>(Given))
    return false;
  while (Options.FillSlots && Amount.getOpcode() == ISD::AND) {
    auto* Mask = dyn_cast<ConstantSDNode>(Amount.getOperand(1));
    if (!Mask || !CurDAG->MaskedValueIsZero(Amount.getOperand(0),
                                            APInt(32, ~Mask->getZExtValue() & AmountBits)))
      break;
    Amount = Amount.getOperand(0);
  }
  return true;
}

MicroengineDAGToDAGISel::Address MicroengineDAGToDAGISel::address(SDValue Sum,
                                                                  const SDLoc& Location) {
  if (auto* Constant = dyn_cast<ConstantSDNode>(Sum)) {
    uint32_t Value = Constant->getZExtValue();
    return {constant(Value & ~127u, Location),
            immediate(Value & 127, Location)};  // neighbours share the base
  }
  if (CurDAG->isBaseWithConstantOffset(Sum)) {
    uint64_t Offset = cast<ConstantSDNode>(Sum.getOperand(1))->getZExtValue();
    if (isUInt<7>(Offset))
      return {Sum.getOperand(0), immediate(Offset, Location)};
  } else if (Sum.getOpcode() == ISD::ADD && Sum.getOperand(0) != Sum.getOperand(1)) {
    return {Sum.getOperand(0), Sum.getOperand(1), true};
  }
  return {Sum, immediate(0, Location)};
}

namespace {
struct MemoryOpcodes {
  unsigned ImmediateForm;
  unsigned RegisterForm;
};
}  // namespace
static MemoryOpcodes memoryOpcodes(bool IsLoad, unsigned Space, unsigned Longwords) {
  using namespace Microengine;
#define NPLAB_READ(unit, n)                    \
  return {                                     \
    unit##_READ_##n##_ri, unit##_READ_##n##_rr \
  }
  switch (Space * 16 + Longwords) {
    case MicroengineAddressSpace::kSram * 16 + 1:
      if (!IsLoad)
        return {SRAM_WRITE_1_ri, SRAM_WRITE_1_rr};
      NPLAB_READ(SRAM, 1);
    case MicroengineAddressSpace::kSram * 16 + 2: NPLAB_READ(SRAM, 2);
    case MicroengineAddressSpace::kSram * 16 + 4: NPLAB_READ(SRAM, 4);
    case MicroengineAddressSpace::kSram * 16 + 8: NPLAB_READ(SRAM, 8);
    case MicroengineAddressSpace::kScratch * 16 + 1:
      if (!IsLoad)
        return {SCRATCH_WRITE_1_ri, SCRATCH_WRITE_1_rr};
      NPLAB_READ(SCRATCH, 1);
    case MicroengineAddressSpace::kScratch * 16 + 2: NPLAB_READ(SCRATCH, 2);
    case MicroengineAddressSpace::kScratch * 16 + 4: NPLAB_READ(SCRATCH, 4);
    case MicroengineAddressSpace::kScratch * 16 + 8: NPLAB_READ(SCRATCH, 8);
    case MicroengineAddressSpace::kSdram * 16 + 2: NPLAB_READ(SDRAM, 1);
    case MicroengineAddressSpace::kSdram * 16 + 4: NPLAB_READ(SDRAM, 2);
    case MicroengineAddressSpace::kSdram * 16 + 8: NPLAB_READ(SDRAM, 4);
    default: report_fatal_error("LowerMemory left an access that no reference can make");
  }
#undef NPLAB_READ
}

void MicroengineDAGToDAGISel::selectMemory(MemSDNode* Node) {
  SDLoc Location(Node);
  bool IsLoad = Node->getOpcode() == ISD::LOAD;
  unsigned Space = Node->getAddressSpace();
  SDValue Pointer = Node->getBasePtr();
  if (Space == MicroengineAddressSpace::kDefault) {
    Space = Options.DefaultSpace;
    if (auto* Frame = dyn_cast<FrameIndexSDNode>(Pointer))
      return selectFrameAccess(Node, Frame->getIndex(), 0);
    if (CurDAG->isBaseWithConstantOffset(Pointer))
      if (auto* Frame = dyn_cast<FrameIndexSDNode>(Pointer.getOperand(0)))
        return selectFrameAccess(Node, Frame->getIndex(),
                                 cast<ConstantSDNode>(Pointer.getOperand(1))->getSExtValue());
  }
  MemoryOpcodes Opcodes = memoryOpcodes(IsLoad, Space, Node->getMemoryVT().getSizeInBits() / 32);
  Address Where = address(Pointer, Location);
  SmallVector<SDValue, 5> Operands;
  if (!IsLoad)
    Operands.push_back(cast<StoreSDNode>(Node)->getValue());
  append_range(Operands, ArrayRef<SDValue>{Where.A, Where.B,
                                           immediate(Microengine::kContextSwapToken, Location),
                                           Node->getChain()});
  MachineSDNode* Reference =
      CurDAG->getMachineNode(Where.TwoRegisters ? Opcodes.RegisterForm : Opcodes.ImmediateForm,
                             Location, Node->getVTList(), Operands);
  CurDAG->setNodeMemRefs(Reference, {Node->getMemOperand()});
  ReplaceNode(Node, Reference);
}

void MicroengineDAGToDAGISel::selectFrameAccess(MemSDNode* Node, int FrameIndex, int64_t Offset) {
  SDLoc Location(Node);
  SmallVector<SDValue, 4> Operands;
  if (auto* Store = dyn_cast<StoreSDNode>(Node))
    Operands.push_back(Store->getValue());
  append_range(Operands, ArrayRef<SDValue>{CurDAG->getTargetFrameIndex(FrameIndex, MVT::i32),
                                           immediate(Offset, Location), Node->getChain()});
  unsigned Opcode = isa<StoreSDNode>(Node) ? Microengine::FRAME_WRITE : Microengine::FRAME_READ;
  MachineSDNode* Access = CurDAG->getMachineNode(Opcode, Location, Node->getVTList(), Operands);
  CurDAG->setNodeMemRefs(Access, {Node->getMemOperand()});
  ReplaceNode(Node, Access);
}

SDValue MicroengineDAGToDAGISel::burst(const TargetRegisterClass& Class, ArrayRef<SDValue> Values,
                                       const SDLoc& Location) {
  if (Values.size() == 1)
    return Values[0];
  MVT Type = MVT::getVectorVT(MVT::i32, Values.size());
  SmallVector<SDValue, 17> Operands{immediate(Class.getID(), Location)};
  for (auto [Index, Value] : enumerate(Values)) {
    Operands.push_back(Value);
    Operands.push_back(immediate(Microengine::word0 + Index, Location));
  }
  return SDValue(CurDAG->getMachineNode(TargetOpcode::REG_SEQUENCE, Location, Type, Operands), 0);
}

void MicroengineDAGToDAGISel::refuse(const SDLoc& Location, const Twine& Message) {
  CurDAG->getContext()->diagnose(
      DiagnosticInfoUnsupported(MF->getFunction(), Message, Location.getDebugLoc()));
}

// Fills Operands in the order of the instruction's description; see EngineIntrinsic in
// code_generation.td.
void MicroengineDAGToDAGISel::intrinsicOperands(const Microengine::IntrinsicDescription& Intrinsic,
                                                ArrayRef<SDValue> Arguments, const SDLoc& Location,
                                                unsigned& Opcode,
                                                SmallVectorImpl<SDValue>& Operands) {
  const TargetRegisterInfo& Registers = *MF->getSubtarget().getRegisterInfo();
  Opcode = Intrinsic.ImmediateForm;
  const MCInstrDesc& Description = TII->get(Opcode);
  auto Next = [&] {
    SDValue Argument = Arguments.front();
    Arguments = Arguments.drop_front();
    return Argument;
  };
  auto Pair = [&]() -> Address {
    SDValue A = Next(), B = Next();
    auto* Constant = dyn_cast<ConstantSDNode>(B);
    if (Constant && isUInt<7>(Constant->getZExtValue()))
      return {A, immediate(Constant->getZExtValue(), Location)};
    return {A, B, true};
  };
  for (unsigned Index = Description.getNumDefs(); Index < Description.getNumOperands(); ++Index) {
    int ClassNumber = Description.operands()[Index].RegClass;
    bool IsLast = Index + 1 == Description.getNumOperands();
    if (ClassNumber == Microengine::SRCRegClassID && Intrinsic.Address != Microengine::kNoAddress) {
      Address Where =
          Intrinsic.Address == Microengine::kSumOfOne ? address(Next(), Location) : Pair();
      Operands.append({Where.A, Where.B});
      if (Where.TwoRegisters)
        Opcode = Intrinsic.RegisterForm;
      ++Index;
    } else if (ClassNumber >= 0) {
      const TargetRegisterClass& Class = *Registers.getRegClass(ClassNumber);
      SmallVector<SDValue, 8> Values;
      for (unsigned Word = 0; Word != Registers.getRegSizeInBits(Class) / 32; ++Word)
        Values.push_back(Next());
      Operands.push_back(burst(Class, Values, Location));
    } else if (IsLast && Microengine::isReference(Description) && !Intrinsic.TokensGiven) {
      Operands.push_back(immediate(Intrinsic.Tokens, Location));
    } else if (Arguments.empty()) {
      Operands.push_back(immediate(0, Location));
    } else {
      auto* Constant = dyn_cast<ConstantSDNode>(Next());
      if (!Constant)
        refuse(Location, Twine("an operand of ") + Intrinsic.Name + " must be a constant");
      Operands.push_back(immediate(Constant ? Constant->getZExtValue() : 0, Location));
    }
  }
}

void MicroengineDAGToDAGISel::selectIntrinsic(SDNode* Node) {
  SDLoc Location(Node);
  uint64_t Number = Node->getConstantOperandVal(1);
  const Microengine::IntrinsicDescription& Intrinsic =
      Microengine::intrinsicByNumber(Number & ~uint64_t{MicroengineISD::StartsFlag});
  SmallVector<SDValue, 8> Arguments(drop_begin(Node->op_values(), 2));
  bool HasResult = Node->getNumValues() > 1;
  if (HasResult && TII->get(Intrinsic.ImmediateForm).getNumDefs() == 0)
    return selectExchange(Node, Intrinsic, Arguments);
  unsigned Opcode;
  SmallVector<SDValue, 6> Operands;
  intrinsicOperands(Intrinsic, Arguments, Location, Opcode, Operands);
  if (Number & MicroengineISD::StartsFlag)
    Operands.back() = immediate(Microengine::kSignalToken, Location);
  Operands.push_back(Node->getOperand(0));
  ReplaceNode(Node, CurDAG->getMachineNode(Opcode, Location, Node->getVTList(), Operands));
}

// The extractions of longwords from a vector; users are selected before what they use. A copy was a
// freeze.
static SmallVector<SDNode*, 4> extractionsFrom(SDNode* Vector) {
  SmallVector<SDNode*, 4> Extractions;
  for (SDNode::use_iterator Use = Vector->use_begin(); Use != Vector->use_end(); ++Use) {
    if (Use.getUse().getResNo() != 0)
      continue;
    if (Use->isMachineOpcode() && Use->getMachineOpcode() == TargetOpcode::EXTRACT_SUBREG)
      Extractions.push_back(*Use);
    else if (Use->isMachineOpcode() && Use->getMachineOpcode() == TargetOpcode::COPY)
      append_range(Extractions, extractionsFrom(*Use));
    else
      report_fatal_error("a vector that an intrinsic gave is used as a whole");
  }
  return Extractions;
}

// What comes back is a value of an exchange class, so that the allocator picks read and write
// registers of the same numbers.
void MicroengineDAGToDAGISel::selectExchange(SDNode* Node,
                                             const Microengine::IntrinsicDescription& Intrinsic,
                                             ArrayRef<SDValue> Arguments) {
  SDLoc Location(Node);
  bool IsHash = Intrinsic.Address == Microengine::kNoAddress;
  bool SendsTwo = IsHash || TII->get(Intrinsic.ImmediateForm).operands()[0].RegClass ==
                                Microengine::SRAMWrite_x2RegClassID;
  ArrayRef<SDValue> Sent = Arguments.take_front(SendsTwo ? 2 : 1);
  SmallVector<SDValue, 6> Operands(Sent);
  if (!IsHash) {
    SDValue Place = Arguments[Sent.size()];
    Address Where = address(Place, Location);
    if (Where.TwoRegisters)
      Where = {Place, immediate(0, Location)};
    Operands.append({Where.A, Where.B});
  }
  Operands.append({immediate(Intrinsic.ImmediateForm, Location), Node->getOperand(0)});
  // The scheduler wants a type that has a register class; the value's own class comes from the
  // instruction.
  unsigned Opcode = IsHash     ? Microengine::EXCHANGE_2
                    : SendsTwo ? Microengine::EXCHANGE_2_AT
                               : Microengine::EXCHANGE_1;
  SDNode* Exchange = CurDAG->getMachineNode(Opcode, Location, SendsTwo ? MVT::v4i32 : MVT::v2i32,
                                            MVT::Other, Operands);
  auto Received = [&](unsigned Word) {
    return CurDAG->getTargetExtractSubreg(Microengine::word0 + Sent.size() + Word, Location,
                                          MVT::i32, SDValue(Exchange, 0));
  };
  if (!IsHash) {
    ReplaceUses(SDValue(Node, 0), Received(0));
  } else {
    for (SDNode* Extraction : extractionsFrom(Node)) {
      ReplaceUses(SDValue(Extraction, 0),
                  Received(Extraction->getConstantOperandVal(1) - Microengine::word0));
      CurDAG->RemoveDeadNode(Extraction);
    }
  }
  ReplaceUses(SDValue(Node, 1), SDValue(Exchange, 1));
  CurDAG->RemoveDeadNode(Node);
}

void MicroengineDAGToDAGISel::selectAnnotation(SDNode* Node) {
  SDLoc Location(Node);
  SmallVector<SDValue, 4> Operands(drop_begin(Node->op_values()));
  unsigned Opcode = Operands.size() == 1   ? Microengine::ANNOTATE
                    : Operands.size() == 2 ? Microengine::ANNOTATE_r
                                           : Microengine::ANNOTATE_rr;
  if (Opcode == Microengine::ANNOTATE_rr)
    if (auto* Second = dyn_cast<ConstantSDNode>(Operands[2]);
        Second && isUInt<8>(Second->getZExtValue())) {
      Operands[2] = immediate(Second->getZExtValue(), Location);
      Opcode = Microengine::ANNOTATE_ri;
    }
  Operands.push_back(Node->getOperand(0));
  ReplaceNode(Node, CurDAG->getMachineNode(Opcode, Location, Node->getVTList(), Operands));
}

// Both name registers, besides operands of their own, that values were copied to.
void MicroengineDAGToDAGISel::selectTransferOfControl(SDNode* Node) {
  SDLoc Location(Node);
  const bool IsCall = Node->getOpcode() == MicroengineISD::CALL;
  SmallVector<SDValue, 12> Operands(drop_begin(Node->op_values()));
  const bool HasGlue = Operands.back().getValueType() == MVT::Glue;
  const SDValue Glue = HasGlue ? Operands.pop_back_val() : SDValue();
  if (!IsCall)
    Operands.insert(Operands.begin() + 1, immediate(0, Location));
  Operands.push_back(Node->getOperand(0));
  if (HasGlue)
    Operands.push_back(Glue);
  ReplaceNode(Node, CurDAG->getMachineNode(IsCall ? Microengine::CALL : Microengine::RTN, Location,
                                           Node->getVTList(), Operands));
}

void MicroengineDAGToDAGISel::Select(SDNode* Node) {
  if (Node->isMachineOpcode()) {
    Node->setNodeId(-1);
    return;
  }
  SDLoc Location(Node);
  switch (Node->getOpcode()) {
    case ISD::Constant:
      return ReplaceNode(Node,
                         constant(cast<ConstantSDNode>(Node)->getZExtValue(), Location).getNode());
    case ISD::FrameIndex:
      return ReplaceNode(
          Node, CurDAG->getMachineNode(
                    Microengine::FRAME_ADDRESS, Location, MVT::i32,
                    CurDAG->getTargetFrameIndex(cast<FrameIndexSDNode>(Node)->getIndex(), MVT::i32),
                    immediate(0, Location)));
    case ISD::GlobalAddress: {
      auto* Global = cast<GlobalAddressSDNode>(Node);
      SDValue Symbol = CurDAG->getTargetGlobalAddress(Global->getGlobal(), Location, MVT::i32,
                                                      Global->getOffset());
      return ReplaceNode(
          Node, CurDAG->getMachineNode(Microengine::LOAD_ADDRESS, Location, MVT::i32, Symbol));
    }
    case ISD::LOAD:
    case ISD::STORE: return selectMemory(cast<MemSDNode>(Node));
    case ISD::BR_CC: return selectBranch(Node);
    case ISD::SELECT_CC:
      if (Node->getValueType(0) == MVT::i32)
        return selectSelect(Node);
      break;
    case MicroengineISD::JUMP_TABLE:
      return ReplaceNode(Node,
                         CurDAG->getMachineNode(Microengine::JUMP, Location, Node->getVTList(),
                                                {Node->getOperand(1), Node->getOperand(2),
                                                 immediate(0, Location), Node->getOperand(0)}));
    case MicroengineISD::PAIR_BRANCH: {
      SmallVector<SDValue, 7> Operands(drop_begin(Node->op_values()));
      Operands.push_back(Node->getOperand(0));
      return ReplaceNode(Node, CurDAG->getMachineNode(Microengine::PAIR_BRANCH, Location,
                                                      Node->getVTList(), Operands));
    }
    case MicroengineISD::PAIR_SELECT: {
      SmallVector<SDValue, 7> Operands(Node->op_values());
      return ReplaceNode(Node, CurDAG->getMachineNode(Microengine::PAIR_SELECT, Location,
                                                      Node->getVTList(), Operands));
    }
    case MicroengineISD::INTRINSIC: return selectIntrinsic(Node);
    case MicroengineISD::CALL:
    case MicroengineISD::RETURN: return selectTransferOfControl(Node);
    case MicroengineISD::ANNOTATE: return selectAnnotation(Node);
    // LLVM's fence for values serves: source and destination are one register, and it becomes no
    // instruction.
    case MicroengineISD::ARRIVE:
      return ReplaceNode(
          Node, CurDAG->getMachineNode(TargetOpcode::ARITH_FENCE, Location, Node->getVTList(),
                                       {Node->getOperand(1), Node->getOperand(0)}));
    case MicroengineISD::STATE_VALUE:
      return ReplaceNode(
          Node,
          CurDAG->getMachineNode(Microengine::STATE_VALUE, Location, Node->getVTList(),
                                 {Node->getOperand(1), Node->getOperand(2), Node->getOperand(0)}));
    case MicroengineISD::READ_SHARED:
      return ReplaceNode(
          Node, CurDAG->getMachineNode(Microengine::READ_SHARED, Location, Node->getVTList(),
                                       {Node->getOperand(1), Node->getOperand(0)}));
    case MicroengineISD::WRITE_SHARED:
      return ReplaceNode(
          Node,
          CurDAG->getMachineNode(Microengine::WRITE_SHARED, Location, Node->getVTList(),
                                 {Node->getOperand(1), Node->getOperand(2), Node->getOperand(0)}));
    default: break;
  }
  SelectCode(Node);
}

namespace {

class MicroengineDAGToDAGISelLegacy : public SelectionDAGISelLegacy {
 public:
  static char ID;
  explicit MicroengineDAGToDAGISelLegacy(MicroengineTargetMachine& Target)
      : SelectionDAGISelLegacy(ID, std::make_unique<MicroengineDAGToDAGISel>(Target)) {}
  StringRef getPassName() const override { return PASS_NAME; }
};
char MicroengineDAGToDAGISelLegacy::ID;

}  // namespace

FunctionPass* llvm::createMicroengineISelDag(MicroengineTargetMachine& Target) {
  return new MicroengineDAGToDAGISelLegacy(Target);
}
