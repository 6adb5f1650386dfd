// Finds the instruction that a statement writes, or says what is wrong with it and where.
#pragma once

#include <variant>

#include "isa/mc/instruction_syntax.h"
#include "isa/mc/statement.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCInst.h"

namespace nplab::isa {

std::variant<llvm::MCInst, StatementError> match_instruction(const Statement& statement,
                                                             llvm::MCContext& context);

}  // namespace nplab::isa
