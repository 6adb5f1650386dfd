// Reads one argument or the tokens of a statement as the operands that an instruction wants there.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "isa/mc/instruction_syntax.h"
#include "isa/mc/statement.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"

namespace nplab::isa {

// The operand that `text` writes; nothing if it is not one of that kind. Literals give an operand
// of value 0.
std::optional<llvm::MCOperand> read_argument(const ArgumentSyntax& syntax, std::string_view text,
                                             llvm::MCContext& context);

// The events of ctx_arb, as their bits.
std::variant<llvm::MCOperand, StatementError> read_events(std::span<const std::string_view> texts);

// The value of the tokens operand.
std::variant<unsigned, StatementError> read_tokens(const InstructionSyntax& syntax,
                                                   const Statement& statement);

// What is allowed in the argument's place, for error messages: "a register", "0 to 31", "`read`".
std::string description_of(const ArgumentSyntax& syntax);

}  // namespace nplab::isa
