#include "random_operands.h"

#include <memory>
#include <vector>

#include "isa/mc/machine_code_context.h"
#include "isa/mc/microengine_mc.h"
#include "isa/operand_rules.h"
#include "isa/operand_text.h"

namespace nplab::isa::testing {
namespace {

unsigned below(unsigned limit, std::mt19937& random) {
  return std::uniform_int_distribution<unsigned>(0, limit - 1)(random);
}

template <typename Names>
std::string any_name(const Names& names, std::mt19937& random) {
  return std::string(names[below(static_cast<unsigned>(names.size()), random)].name);
}

std::string any_shift(std::mt19937& random) {
  unsigned shift = 0;
  do
    shift = below(256, random);
  while (!is_shift(shift));
  return shift_text(shift);
}

std::string any_position(std::mt19937& random) {
  unsigned position = 0;
  do
    position = below(8, random);
  while (!is_immed_position(position));
  return immed_position_text(position);
}

// A register of the class; `first_source` keeps the bank rule: the second source is a transfer
// register.
std::string any_register(unsigned register_class, bool is_second_source, std::mt19937& random) {
  static const MachineCodeContext machine(nullptr);
  const llvm::MCRegisterClass& registers = machine.registers->getRegClass(register_class);
  for (;;) {
    const llvm::MCRegister reg = registers.getRegister(below(registers.getNumRegs(), random));
    const auto code = static_cast<OperandCode>(machine.registers->getEncodingValue(reg));
    if (!is_second_source || (code & 0x200) != 0)
      return operand_text(code);
  }
}

std::string any_argument(const ArgumentSyntax& argument, bool is_second_source,
                         std::mt19937& random) {
  switch (argument.kind) {
    case ArgumentKind::kLiteral: return std::string(argument.text);
    case ArgumentKind::kRegister: return any_register(argument.parameter, is_second_source, random);
    case ArgumentKind::kImmediate: return std::to_string(below(1u << argument.parameter, random));
    case ArgumentKind::kHalfWord:
    case ArgumentKind::kControlStoreAddress:
    case ArgumentKind::kControlStoreAddressI32: return std::to_string(below(0x10000, random));
    case ArgumentKind::kShift: return any_shift(random);
    case ArgumentKind::kRightShift: return ">>" + std::to_string(1 + below(31, random));
    case ArgumentKind::kImmedPosition: return any_position(random);
    case ArgumentKind::kControlStatusRegister: return any_name(kControlStatusRegisterNames, random);
    case ArgumentKind::kLocalCsr: return any_name(kLocalCSRNames, random);
    case ArgumentKind::kInputState: return any_name(kInputStateNames, random);
    case ArgumentKind::kSignalName:
    case ArgumentKind::kEventList: return any_name(kEventNames, random);
  }
  return {};
}

std::string reference_tokens(const InstructionSyntax& syntax, std::mt19937& random) {
  unsigned tokens = below(0x1000, random) & syntax.allowed_tokens;
  if (!is_token_set(tokens))
    tokens &= ~static_cast<unsigned>(Token::kSigDone);
  std::string text;
  for (const NamedNumber& token : kTokenNames)
    if ((tokens & token.number) != 0)
      text += ", " + std::string(token.name);
  const bool swaps = (tokens & static_cast<unsigned>(Token::kCtxSwap)) != 0;
  return swaps && below(2, random) == 1 ? text + ", defer[1]" : text;
}

std::string any_tokens(const InstructionSyntax& syntax, std::mt19937& random) {
  if (syntax.tokens == TokensKind::kNone)
    return {};
  if (syntax.tokens == TokensKind::kReferenceTokens)
    return reference_tokens(syntax, random);
  if (syntax.tokens == TokensKind::kLoadCc)
    return below(2, random) == 1 ? ", load_cc" : "";
  std::string text;
  if ((syntax.allowed_tokens & 4) != 0 && below(2, random) == 1)
    text += ", guess_branch";
  const unsigned defer = below(maximum_defer(syntax.aborts) + 1, random);
  return defer == 0 ? text : text + ", defer[" + std::to_string(defer) + "]";
}

}  // namespace

std::string random_statement(const InstructionSyntax& syntax, std::mt19937& random) {
  std::string text(syntax.mnemonic);
  bool has_source = false;
  const char* separator = "[";
  for (const ArgumentSyntax& argument : syntax.arguments()) {
    const bool is_source = argument.kind == ArgumentKind::kRegister &&
                           argument.parameter == llvm::Microengine::SRCRegClassID;
    text += separator + any_argument(argument, has_source && is_source, random);
    has_source |= is_source;
    separator = ", ";
  }
  if (syntax.argument_count != 0)
    text += "]";
  return text + any_tokens(syntax, random);
}

}  // namespace nplab::isa::testing
