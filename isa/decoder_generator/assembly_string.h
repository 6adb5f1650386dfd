// The assembly string of an instruction, taken apart: mnemonic[argument, argument, ...]tokens.
#pragma once

#include <string>
#include <vector>

#include "isa/decoder_generator/instruction_record.h"

namespace nplab::isa::generator {

struct Argument {
  std::string text;                        // a literal, or the operand's name
  const OperandRecord* operand = nullptr;  // null: a literal
  bool is_optional = false;                // may be left out in assembly language
};

struct AssemblyString {
  std::string mnemonic;
  std::vector<Argument> arguments;
  const OperandRecord* tokens = nullptr;  // null: takes no tokens
};

// The result points into `instruction`. Ends the program if the string names an operand that does
// not exist.
AssemblyString take_apart(const InstructionRecord& instruction);

}  // namespace nplab::isa::generator
