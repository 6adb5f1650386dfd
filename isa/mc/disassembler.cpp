#define DEBUG_TYPE "microengine-disassembler"  // for the generated code

#include "isa/mc/instruction_syntax.h"
#include "isa/mc/microengine_mc.h"
#include "isa/mc/parts.h"
#include "isa/operand_rules.h"
#include "llvm/MC/MCDecoderOps.h"
#include "llvm/MC/MCInst.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace nplab::isa;
using DecodeStatus = MCDisassembler::DecodeStatus;

namespace {

DecodeStatus decode_register(MCInst& instruction, std::uint64_t code, unsigned register_class,
                             const MCDisassembler* disassembler) {
  const MCRegisterInfo& registers = *disassembler->getContext().getRegisterInfo();
  const MCRegister reg =
      Microengine::find_register(registers, register_class, static_cast<OperandCode>(code));
  if (!reg.isValid())
    return MCDisassembler::Fail;
  instruction.addOperand(MCOperand::createReg(reg));
  return MCDisassembler::Success;
}

DecodeStatus add_if(bool is_legal, MCInst& instruction, std::uint64_t number) {
  if (!is_legal)
    return MCDisassembler::Fail;
  instruction.addOperand(MCOperand::createImm(static_cast<std::int64_t>(number)));
  return MCDisassembler::Success;
}

// The generated code calls Decode<class>RegisterClass and decode<operand> for what the description
// names.
#define REGISTER_CLASS(name)                                                                      \
  [[maybe_unused]] DecodeStatus Decode##name##RegisterClass(MCInst& instruction,                  \
                                                            std::uint64_t code, std::uint64_t,    \
                                                            const MCDisassembler* disassembler) { \
    return decode_register(instruction, code, Microengine::name##RegClassID, disassembler);       \
  }
#define BURST_CLASSES(file) \
  REGISTER_CLASS(file)      \
  REGISTER_CLASS(file##_x2) \
  REGISTER_CLASS(file##_x3) \
  REGISTER_CLASS(file##_x4) \
  REGISTER_CLASS(file##_x5) \
  REGISTER_CLASS(file##_x6) REGISTER_CLASS(file##_x7) REGISTER_CLASS(file##_x8)
REGISTER_CLASS(SRC)
REGISTER_CLASS(DST)
REGISTER_CLASS(GPR)
BURST_CLASSES(SRAMRead)
BURST_CLASSES(SRAMWrite)
BURST_CLASSES(SDRAMRead)
BURST_CLASSES(SDRAMWrite)
#undef BURST_CLASSES
#undef REGISTER_CLASS

#define NAMED_OPERAND(name, is_legal)                                                 \
  DecodeStatus decode##name(MCInst& instruction, std::uint64_t number, std::uint64_t, \
                            const MCDisassembler*) {                                  \
    return add_if(is_legal(static_cast<unsigned>(number)), instruction, number);      \
  }
NAMED_OPERAND(Shift, is_shift)
NAMED_OPERAND(RightShift, is_right_shift)
NAMED_OPERAND(ImmedPosition, is_immed_position)
NAMED_OPERAND(CSR, is_control_status_register)
NAMED_OPERAND(LocalCSR, is_local_csr)
NAMED_OPERAND(InputState, is_input_state)
NAMED_OPERAND(Signal, is_signal_name)
NAMED_OPERAND(EventList, is_event_list)
#undef NAMED_OPERAND

}  // namespace

#include "isa/MicroengineGenDisassemblerTables.inc"

namespace {

// Rules that hold between fields, or that a field is wider than its operand.
bool obeys_rules(const MCInst& instruction) {
  const InstructionSyntax& syntax = syntax_of(instruction.getOpcode());
  for (const ArgumentSyntax& argument : syntax.arguments()) {
    if (argument.kind != ArgumentKind::kImmediate)
      continue;
    if (instruction.getOperand(argument.operand).getImm() >> argument.parameter != 0)
      return false;
  }
  if (syntax.tokens == TokensKind::kNone || syntax.tokens == TokensKind::kLoadCc)
    return true;
  const auto tokens = static_cast<unsigned>(instruction.getOperand(syntax.tokens_operand).getImm());
  if (syntax.tokens == TokensKind::kReferenceTokens)
    return is_reference_tokens(tokens);
  return (tokens & 3) <= maximum_defer(syntax.aborts);
}

class MicroengineDisassembler : public MCDisassembler {
 public:
  using MCDisassembler::MCDisassembler;

  DecodeStatus getInstruction(MCInst& instruction, std::uint64_t& size,
                              ArrayRef<std::uint8_t> bytes, std::uint64_t address,
                              raw_ostream&) const override {
    size = bytes.size() < Microengine::kInstructionBytes ? 0 : Microengine::kInstructionBytes;
    if (size == 0)
      return Fail;
    const std::uint64_t word = support::endian::read64be(bytes.data());
    const DecodeStatus status =
        decodeInstruction(DecoderTableMicroengine64, instruction, word, address, this, STI);
    return status == Success && obeys_rules(instruction) ? Success : Fail;
  }
};

}  // namespace

MCDisassembler* llvm::createMicroengineDisassembler(const Target&, const MCSubtargetInfo& subtarget,
                                                    MCContext& context) {
  return new MicroengineDisassembler(subtarget, context);
}
