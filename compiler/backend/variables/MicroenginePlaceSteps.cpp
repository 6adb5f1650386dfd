#include "compiler/backend/variables/MicroenginePlaceSteps.h"

#include "compiler/backend/Microengine.h"
#include "compiler/backend/MicroengineDescriptions.h"
#include "compiler/backend/MicroengineTargetMachine.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace {

using nplab::isa::MemorySpace;
using nplab::isa::PlaceStep;
using StepKind = PlaceStep::Kind;
using Steps = std::vector<PlaceStep>;

constexpr unsigned kLongwordBits = 32;

MemorySpace frameSpaceOf(const MachineFunction& Function) {
  switch (engineOptionsOf(Function).DefaultSpace) {
    case MicroengineAddressSpace::kSram: return MemorySpace::kSram;
    case MicroengineAddressSpace::kSdram: return MemorySpace::kSdram;
    default: return MemorySpace::kScratch;
  }
}

PlaceStep stepOf(const MachineFunction& Function, MCRegister Register) {
  const bool IsWritten = Microengine::SRAMWriteRegClass.contains(Register) ||
                         Microengine::SDRAMWriteRegClass.contains(Register);
  const unsigned Code = Function.getSubtarget().getRegisterInfo()->getEncodingValue(Register);
  return {IsWritten ? StepKind::kWrittenRegister : StepKind::kRegister, Code};
}

// What an operator of DWARF without operands does.
std::optional<StepKind> kindOf(uint64_t Operator) {
  switch (Operator) {
    case dwarf::DW_OP_plus: return StepKind::kAdd;
    case dwarf::DW_OP_minus: return StepKind::kSubtract;
    case dwarf::DW_OP_mul: return StepKind::kMultiply;
    case dwarf::DW_OP_and: return StepKind::kAnd;
    case dwarf::DW_OP_or: return StepKind::kOr;
    case dwarf::DW_OP_xor: return StepKind::kExclusiveOr;
    case dwarf::DW_OP_shl: return StepKind::kShiftLeft;
    case dwarf::DW_OP_shr: return StepKind::kShiftRight;
    case dwarf::DW_OP_shra: return StepKind::kShiftRightSigned;
    case dwarf::DW_OP_neg: return StepKind::kNegate;
    case dwarf::DW_OP_not: return StepKind::kNot;
    default: return std::nullopt;
  }
}

// The steps of an expression. `Operands` push what its arguments are.
class ExpressionReader {
 public:
  explicit ExpressionReader(std::vector<Steps> Operands) : Operands(std::move(Operands)) {}

  // False when the table has no such steps.
  bool read(const DIExpression& Expression) {
    const bool NamesArguments = any_of(Expression.expr_ops(), [](const auto& Operation) {
      return Operation.getOp() == dwarf::DW_OP_LLVM_arg;
    });
    if (!NamesArguments && !push(0))
      return false;
    return all_of(Expression.expr_ops(),
                  [&](const auto& Operation) { return !IsInMemory && add(Operation); });
  }

  Steps Found;
  bool IsInMemory = false;

 private:
  bool push(uint64_t Argument) {
    if (Argument >= Operands.size())
      return false;
    append_range(Found, Operands[Argument]);
    return true;
  }

  bool add(const DIExpression::ExprOperand& Operation) {
    if (const std::optional<StepKind> Plain = kindOf(Operation.getOp())) {
      Found.push_back({*Plain, 0});
      return true;
    }
    const auto Value = [&](unsigned I) { return static_cast<uint32_t>(Operation.getArg(I)); };
    switch (Operation.getOp()) {
      case dwarf::DW_OP_LLVM_arg: return push(Operation.getArg(0));
      case dwarf::DW_OP_constu:
      case dwarf::DW_OP_consts: Found.push_back({StepKind::kConstant, Value(0)}); return true;
      case dwarf::DW_OP_plus_uconst:
        Found.push_back({StepKind::kConstant, Value(0)});
        Found.push_back({StepKind::kAdd, 0});
        return true;
      case dwarf::DW_OP_LLVM_convert: return convert(Value(0), Operation.getArg(1));
      case dwarf::DW_OP_deref: IsInMemory = true; return true;
      case dwarf::DW_OP_stack_value:
      case dwarf::DW_OP_LLVM_fragment: return true;
      default: return false;
    }
  }

  bool convert(uint32_t Bits, uint64_t Encoding) {
    if (Bits > kLongwordBits)
      return false;
    Found.push_back(
        {Encoding == dwarf::DW_ATE_signed ? StepKind::kExtendSign : StepKind::kKeepBits, Bits});
    return true;
  }

  std::vector<Steps> Operands;
};

// The whole variable, or the fragment that the expression is about.
MicroenginePlace placeOf(const DILocalVariable& Variable, const DIExpression& Expression) {
  MicroenginePlace Place;
  Place.Variable = &Variable;
  if (const auto Fragment = Expression.getFragmentInfo()) {
    Place.Part.bit_offset = Fragment->OffsetInBits;
    Place.Part.bit_size = Fragment->SizeInBits;
  } else {
    Place.Part.bit_size = Variable.getSizeInBits().value_or(0);
  }
  return Place;
}

// The longwords of a part that is in several registers, or a constant of more bits; the first is
// the highest.
std::vector<MicroenginePlace> longwordsOf(MicroenginePlace Whole, ArrayRef<Steps> Longwords,
                                          ArrayRef<MCRegister> Registers) {
  std::vector<MicroenginePlace> Parts;
  for (const auto& [Index, Longword] : enumerate(Longwords)) {
    if (kLongwordBits * Index >= Whole.Part.bit_size)
      break;
    MicroenginePlace Part = Whole;
    Part.Part.bit_offset += kLongwordBits * Index;
    Part.Part.bit_size =
        std::min<unsigned>(kLongwordBits, Whole.Part.bit_size - kLongwordBits * Index);
    Part.Part.steps = Longword;
    if (!Registers.empty())
      Part.Registers = {Registers[Index]};
    Parts.push_back(std::move(Part));
  }
  return Parts;
}

std::vector<MCRegister> longwordsOf(const TargetRegisterInfo& Info, MCRegister Register) {
  std::vector<MCRegister> Longwords;
  for (unsigned Index = Microengine::word0;; ++Index) {
    const MCRegister Part =
        Index < Info.getNumSubRegIndices() ? Info.getSubReg(Register, Index) : MCRegister();
    if (!Part)
      return Longwords;
    Longwords.push_back(Part);
  }
}

Steps constant(uint32_t Value) {
  return {{StepKind::kConstant, Value}};
}

std::vector<MicroenginePlace> constantParts(MicroenginePlace Place, const APInt& Value) {
  if (Place.Part.bit_size <= kLongwordBits) {
    Place.Part.steps = constant(Value.zextOrTrunc(kLongwordBits).getZExtValue());
    return {Place};
  }
  std::vector<Steps> Longwords;
  const APInt Wide = Value.sextOrTrunc(alignTo(Place.Part.bit_size, kLongwordBits));
  for (unsigned Low = Wide.getBitWidth(); Low != 0; Low -= kLongwordBits)
    Longwords.push_back(
        constant(Wide.extractBits(kLongwordBits, Low - kLongwordBits).getZExtValue()));
  return longwordsOf(std::move(Place), Longwords, {});
}

bool isPlain(const DIExpression& Expression) {
  return all_of(Expression.expr_ops(), [](const auto& Operation) {
    return Operation.getOp() == dwarf::DW_OP_LLVM_fragment ||
           Operation.getOp() == dwarf::DW_OP_stack_value ||
           (Operation.getOp() == dwarf::DW_OP_LLVM_arg && Operation.getArg(0) == 0);
  });
}

// A single value as it stands.
std::optional<std::vector<MicroenginePlace>> plainParts(const MachineInstr& Value,
                                                        const MicroenginePlace& Place) {
  if (Value.getNumDebugOperands() != 1 || Value.isIndirectDebugValue() ||
      !isPlain(*Value.getDebugExpression()))
    return std::nullopt;
  const MachineOperand& Operand = Value.getDebugOperand(0);
  if (Operand.isImm())
    return constantParts(Place, APInt(64, Operand.getImm(), /*isSigned=*/true));
  if (Operand.isCImm())
    return constantParts(Place, Operand.getCImm()->getValue());
  if (!Operand.isReg() || !Operand.getReg())
    return std::nullopt;
  const MachineFunction& Function = *Value.getMF();
  const auto Registers =
      longwordsOf(*Function.getSubtarget().getRegisterInfo(), Operand.getReg().asMCReg());
  if (Registers.empty())
    return std::nullopt;
  std::vector<Steps> Longwords;
  for (const MCRegister Register : Registers)
    Longwords.push_back({stepOf(Function, Register)});
  return longwordsOf(Place, Longwords, Registers);
}

// The steps that push an operand; nothing if it is lost.
std::optional<Steps> operandSteps(const MachineInstr& Value, const MachineOperand& Operand) {
  if (Operand.isImm())
    return constant(Operand.getImm());
  if (!Operand.isReg() || !Operand.getReg())
    return std::nullopt;
  const MCRegister Register = Operand.getReg().asMCReg();
  if (!longwordsOf(*Value.getMF()->getSubtarget().getRegisterInfo(), Register).empty())
    return std::nullopt;
  return Steps{stepOf(*Value.getMF(), Register)};
}

}  // namespace

std::vector<MicroenginePlace> llvm::microenginePlacesOf(const MachineInstr& Value) {
  MicroenginePlace Place = placeOf(*Value.getDebugVariable(), *Value.getDebugExpression());
  Place.InlinedAt = Value.getDebugLoc()->getInlinedAt();
  if (auto Parts = plainParts(Value, Place))
    return *Parts;
  std::vector<Steps> Operands;
  for (const MachineOperand& Operand : Value.debug_operands()) {
    auto Pushed = operandSteps(Value, Operand);
    if (!Pushed)
      return {Place};
    Operands.push_back(std::move(*Pushed));
    // The base of the frame stays what it is.
    if (Operand.isReg() && Operand.getReg() != Microengine::B15)
      Place.Registers.push_back(Operand.getReg().asMCReg());
  }
  ExpressionReader Reader(std::move(Operands));
  if (!Reader.read(*Value.getDebugExpression()))
    return {Place};
  Place.Part.is_in_memory = Reader.IsInMemory || Value.isIndirectDebugValue();
  Place.Part.space = frameSpaceOf(*Value.getMF());
  if (Place.Part.is_in_memory || Place.Part.bit_size <= kLongwordBits)
    Place.Part.steps = std::move(Reader.Found);
  return {Place};
}

std::optional<MicroenginePlace> llvm::microenginePlaceInFrame(const MachineFunction& Function,
                                                              const DILocalVariable& Variable,
                                                              const DIExpression& Expression,
                                                              MCRegister Base, int64_t Offset) {
  Steps Address = {stepOf(Function, Base)};
  if (Offset != 0) {
    Address.push_back({StepKind::kConstant, static_cast<uint32_t>(Offset)});
    Address.push_back({StepKind::kAdd, 0});
  }
  ExpressionReader Reader({std::move(Address)});
  if (!Reader.read(Expression) || Reader.IsInMemory)
    return std::nullopt;
  MicroenginePlace Place = placeOf(Variable, Expression);
  Place.Part.is_in_memory = true;
  Place.Part.space = frameSpaceOf(Function);
  Place.Part.steps = std::move(Reader.Found);
  return Place;
}
