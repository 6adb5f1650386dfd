#include "isa/instruction.h"
#include "isa/operand_rules.h"

namespace nplab::isa {
namespace {

struct OperandCheck {
  int low_bit;
  unsigned mask;                    // of the field's width
  bool (*allows)(unsigned number);  // null: no check
};

template <int bits>
bool fits(unsigned number) {
  return number >> bits == 0;
}

struct Encoding {
  std::uint64_t mask;
  std::uint64_t value;
  Operation operation;
  AbortClass aborts;
  Unit completes_in;
  void (*fill)(Instruction& instruction, std::uint64_t word);
  OperandCheck operands[4];
};

#include "isa/decoder.gen.inc"

bool allows_operands(const Encoding& encoding, std::uint64_t word) {
  for (const OperandCheck& check : encoding.operands)
    if (check.allows && !check.allows(word >> check.low_bit & check.mask))
      return false;
  return true;
}

const Encoding* find_encoding(std::uint64_t word) {
  const std::uint64_t operation = word >> 58;
  for (unsigned i = kFirstEncoding[operation]; i != kFirstEncoding[operation + 1]; ++i) {
    const Encoding& encoding = kEncodings[i];
    if ((word & encoding.mask) == encoding.value && allows_operands(encoding, word))
      return &encoding;
  }
  return nullptr;
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
  if (!is_token_set(instruction.tokens))
    return std::nullopt;
  return instruction;
}

}  // namespace nplab::isa
