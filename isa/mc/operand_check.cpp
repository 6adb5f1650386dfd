#include "isa/mc/operand_check.h"

#include <fmt/format.h>

#include "isa/mc/argument_reader.h"
#include "isa/mc/instruction_syntax.h"
#include "isa/operand_rules.h"
#include "llvm/MC/MCInst.h"

namespace nplab::isa {
namespace {

bool is_right(const ArgumentSyntax& syntax, std::int64_t value) {
  const auto number = static_cast<unsigned>(value);
  if (value < 0 || value > 0xffff)
    return false;
  switch (syntax.kind) {
    case ArgumentKind::kImmediate: return value >> syntax.parameter == 0;
    case ArgumentKind::kShift: return is_shift(number);
    case ArgumentKind::kRightShift: return is_right_shift(number);
    case ArgumentKind::kImmedPosition: return is_immed_position(number);
    case ArgumentKind::kControlStatusRegister: return is_control_status_register(number);
    case ArgumentKind::kLocalCsr: return is_local_csr(number);
    case ArgumentKind::kInputState: return is_input_state(number);
    case ArgumentKind::kSignalName: return is_signal_name(number);
    case ArgumentKind::kEventList: return is_event_list(number);
    case ArgumentKind::kLiteral:
    case ArgumentKind::kRegister:
    case ArgumentKind::kHalfWord:
    case ArgumentKind::kControlStoreAddress:
    case ArgumentKind::kControlStoreAddressI32: return true;
  }
  return true;
}

}  // namespace

std::optional<std::string> operand_problem(const llvm::MCInst& instruction) {
  const InstructionSyntax& syntax = syntax_of(instruction.getOpcode());
  for (const ArgumentSyntax& argument : syntax.arguments()) {
    if (argument.kind == ArgumentKind::kLiteral)
      continue;
    const llvm::MCOperand& operand = instruction.getOperand(argument.operand);
    if (operand.isImm() && !is_right(argument, operand.getImm())) {
      return fmt::format("the instruction {} cannot hold {}: expected {}", syntax.mnemonic,
                         operand.getImm(), description_of(argument));
    }
  }
  if (syntax.tokens == TokensKind::kReferenceTokens) {
    const auto tokens =
        static_cast<unsigned>(instruction.getOperand(syntax.tokens_operand).getImm());
    if (!is_reference_tokens(tokens))
      return fmt::format("the tokens of {} exclude each other", syntax.mnemonic);
  }
  return std::nullopt;
}

}  // namespace nplab::isa
