// Operands as they are written in assembly language.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isa/instruction.h"

namespace nplab::isa {

// "a3", "@b40", "$2", "@$$17", "--", or the value of an immediate.
std::string operand_text(OperandCode code);

// The operand code of a register's name; nothing if it is not one.
std::optional<OperandCode> parse_register(std::string_view name);

// "<<3", ">>rot16", "<<indirect", or "--" for none. Kind and amount as in description/operands.td.
std::string shift_text(unsigned shift);
std::optional<unsigned> parse_shift(std::string_view text);

// The position of an immed operand: "<<8", "<<16", "ones", "<<8 ones", "<<16 ones"; "<<0" for none.
// With "ones" the other bits of the destination become ones.
std::string immed_position_text(unsigned position);
std::optional<unsigned> parse_immed_position(std::string_view text);

// A decimal, 0x or 0b number, possibly negative.
std::optional<std::int64_t> parse_number(std::string_view text);

}  // namespace nplab::isa
