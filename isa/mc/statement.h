// One statement of the assembly language, taken apart: mnemonic[argument, argument, ...], token,
// token.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace nplab::isa {

struct Statement {
  // Views into the source text, so that they double as positions.
  std::string_view mnemonic;
  std::vector<std::string_view> arguments;
  std::vector<std::string_view> tokens;
};

struct StatementError {
  const char* position = nullptr;  // into the source text
  std::string message;
};

// The parts of a list between its commas, without the white space around them.
std::vector<std::string_view> split_list(std::string_view text);

// `text` has no comments. Only the punctuation is checked.
std::variant<Statement, StatementError> parse_statement(std::string_view text);

}  // namespace nplab::isa
