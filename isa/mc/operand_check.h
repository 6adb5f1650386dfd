// What the assembler checks while it reads an instruction, for one that was made otherwise.
#pragma once

#include <optional>
#include <string>

namespace llvm {
class MCInst;
}

namespace nplab::isa {

// The first operand that its field cannot hold or that stands for nothing, in words with what would
// be right; nothing if the instruction can be encoded. Symbols count as right.
std::optional<std::string> operand_problem(const llvm::MCInst& instruction);

}  // namespace nplab::isa
