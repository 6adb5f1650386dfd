// Instructions with random legal operands, as assembly text, from the generated syntax tables.
#pragma once

#include <random>
#include <string>

#include "isa/mc/instruction_syntax.h"

namespace nplab::isa::testing {

// A statement of the given form. Sources are picked so that the bank rule holds.
std::string random_statement(const InstructionSyntax& syntax, std::mt19937& random);

}  // namespace nplab::isa::testing
