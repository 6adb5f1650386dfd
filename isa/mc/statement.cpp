#include "isa/mc/statement.h"

#include <cctype>

namespace nplab::isa {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
    text.remove_suffix(1);
  return text;
}

// The position of the `]` that closes the `[` at the start of `text`; npos if there is none.
std::size_t closing_bracket(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i != text.size(); ++i) {
    if (text[i] == '[')
      ++depth;
    if (text[i] == ']' && --depth == 0)
      return i;
  }
  return std::string_view::npos;
}

}  // namespace

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i != text.size() && text[i] != ',')
      continue;
    parts.push_back(trimmed(text.substr(start, i - start)));
    start = i + 1;
  }
  return parts;
}

std::variant<Statement, StatementError> parse_statement(std::string_view text) {
  text = trimmed(text);
  Statement statement;
  const std::size_t open = text.find('[');
  statement.mnemonic = trimmed(text.substr(0, open));
  std::string_view rest = text.substr(statement.mnemonic.size());
  if (open != std::string_view::npos) {
    const std::string_view brackets = text.substr(open);
    const std::size_t close = closing_bracket(brackets);
    if (close == std::string_view::npos)
      return StatementError{brackets.data(), "this [ has no closing ]"};
    const std::string_view inside = brackets.substr(1, close - 1);
    if (!trimmed(inside).empty())
      statement.arguments = split_list(inside);
    rest = brackets.substr(close + 1);
  }
  rest = trimmed(rest);
  if (rest.empty())
    return statement;
  if (rest.front() != ',')
    return StatementError{rest.data(), "expected a comma before the tokens"};
  statement.tokens = split_list(rest.substr(1));
  for (const auto part : statement.tokens)
    if (part.empty())
      return StatementError{part.data(), "expected a token after the comma"};
  return statement;
}

}  // namespace nplab::isa
