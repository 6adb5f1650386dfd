#include "isa/instruction.h"
#include "isa/operand_rules.h"

namespace nplab::isa {
namespace {

struct RegisterCheck {
  int low_bit;
  bool (*allows)(unsigned code);  // null: no check
};

struct Encoding {
  std::uint64_t mask;
  std::uint64_t value;
  Operation operation;
  AbortClass aborts;
  Unit completes_in;
  void (*fill)(Instruction& instruction, std::uint64_t word);
  RegisterCheck registers[3];
};

#include "isa/decoder.gen.inc"

bool allows_registers(const Encoding& encoding, std::uint64_t word) {
  for (const RegisterCheck& check : encoding.registers)
    if (check.allows && !check.allows(word >> check.low_bit & 0x7ff))
      return false;
  return true;
}

const Encoding* find_encoding(std::uint64_t word) {
  const std::uint64_t operation = word >> 58;
  for (unsigned i = kFirstEncoding[operation]; i != kFirstEncoding[operation + 1]; ++i) {
    const Encoding& encoding = kEncodings[i];
    if ((word & encoding.mask) == encoding.value && allows_registers(encoding, word))
      return &encoding;
  }
  return nullptr;
}

// Rules that fixed bits and register classes do not express.
bool obeys_operand_rules(const Instruction& instruction) {
  const unsigned shift =
      static_cast<unsigned>(instruction.shift_kind) << 5 | instruction.shift_amount;
  switch (instruction.operation) {
    case Operation::kDblShf: return is_right_shift(shift);
    case Operation::kImmed: return is_immed_position(instruction.position);
    case Operation::kBrInpState: return is_input_state(instruction.selector);
    case Operation::kBrNotSignal: return is_signal(instruction.selector);
    case Operation::kBrEqualCtx:
    case Operation::kBrNotEqualCtx: return is_context(instruction.selector);
    case Operation::kCsrRead:
    case Operation::kCsrWrite:
    case Operation::kFastWr: return is_control_status_register(instruction.csr);
    case Operation::kLocalCsrRd: return is_local_csr(instruction.csr);
    case Operation::kCtxArb: return is_event_list(instruction.events);
    default: return is_shift(shift);
  }
}

}  // namespace

std::optional<Instruction> decode(std::uint64_t word) {
  const Encoding* encoding = find_encoding(word);
  if (!encoding)
    return std::nullopt;
  Instruction instruction;
  instruction.operation = encoding->operation;
  instruction.aborts = encoding->aborts;
  instruction.completes_in = encoding->completes_in;
  encoding->fill(instruction, word);
  if ((instruction.tokens & static_cast<unsigned>(Token::kCtxSwap)) != 0)
    instruction.aborts = AbortClass::kSwap;
  if (instruction.defer > maximum_defer(instruction.aborts))
    return std::nullopt;
  if (!is_token_set(instruction.tokens) || !obeys_operand_rules(instruction))
    return std::nullopt;
  return instruction;
}

}  // namespace nplab::isa
