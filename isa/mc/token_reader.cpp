#include <fmt/format.h>

#include "isa/mc/argument_reader.h"
#include "isa/operand_rules.h"
#include "isa/operand_text.h"
#include "support/near_miss.h"

namespace nplab::isa {
namespace {

constexpr unsigned kGuessBranch = 1 << 2;
constexpr unsigned kCtxSwap = static_cast<unsigned>(Token::kCtxSwap);

// Position of the defer count in the tokens operand.
unsigned defer_position(TokensKind kind) {
  return kind == TokensKind::kReferenceTokens ? 12 : 0;
}

bool takes_defer(const InstructionSyntax& syntax) {
  return (syntax.allowed_tokens >> defer_position(syntax.tokens) & 3) == 3;
}

// The bit of a token without a count in the tokens operand of that kind; 0 if there is none of that
// name.
unsigned bit_of(TokensKind kind, std::string_view name) {
  switch (kind) {
    case TokensKind::kBranchTokens: return name == "guess_branch" ? kGuessBranch : 0;
    case TokensKind::kReferenceTokens: return number_of(kTokenNames, name).value_or(0);
    case TokensKind::kLoadCc: return name == "load_cc" ? 1 : 0;
    default: return 0;
  }
}

std::vector<std::string> all_tokens() {
  std::vector<std::string> names{"defer[n]", "guess_branch", "load_cc"};
  for (const NamedNumber& token : kTokenNames)
    names.emplace_back(token.name);
  return names;
}

std::string allowed_tokens_text(const InstructionSyntax& syntax) {
  std::string text;
  for (const std::string& name : all_tokens()) {
    const bool is_defer = name == "defer[n]";
    const bool is_allowed = is_defer ? syntax.tokens != TokensKind::kLoadCc && takes_defer(syntax)
                                     : (bit_of(syntax.tokens, name) & syntax.allowed_tokens) != 0;
    if (is_allowed)
      text += (text.empty() ? "" : ", ") + name;
  }
  return text.empty() ? "takes no tokens" : "takes " + text;
}

StatementError refusal(const InstructionSyntax& syntax, std::string_view token) {
  const std::string_view name = token.substr(0, token.find('['));
  for (const std::string& known : all_tokens())
    if (known.substr(0, known.find('[')) == name)
      return {token.data(), fmt::format("`{}` is not a token of {}, which {}", token,
                                        syntax.mnemonic, allowed_tokens_text(syntax))};
  return {token.data(),
          fmt::format("unknown token `{}`; {}", token, suggestion(token, all_tokens()))};
}

// The count of `defer[n]`.
std::variant<unsigned, StatementError> read_defer(const InstructionSyntax& syntax,
                                                  std::string_view token) {
  if (syntax.tokens == TokensKind::kNone || syntax.tokens == TokensKind::kLoadCc ||
      !takes_defer(syntax))
    return refusal(syntax, token);
  const AbortClass aborts =
      syntax.tokens == TokensKind::kReferenceTokens ? AbortClass::kSwap : syntax.aborts;
  const unsigned maximum = maximum_defer(aborts);
  const bool is_closed = token.starts_with("defer[") && token.ends_with("]");
  const auto count = is_closed ? parse_number(token.substr(6, token.size() - 7)) : std::nullopt;
  if (count && *count >= 1 && *count <= maximum)
    return static_cast<unsigned>(*count);
  return StatementError{token.data(),
                        fmt::format("`{}`: {} takes defer[1]{}", token, syntax.mnemonic,
                                    maximum == 1 ? "" : fmt::format(" to defer[{}]", maximum))};
}

}  // namespace

std::variant<llvm::MCOperand, StatementError> read_events(std::span<const std::string_view> texts) {
  unsigned events = 0;
  for (const std::string_view text : texts) {
    const auto event = number_of(kEventNames, text);
    if (!event) {
      std::vector<std::string> names;
      for (const NamedNumber& name : kEventNames)
        names.emplace_back(name.name);
      return StatementError{text.data(),
                            fmt::format("unknown event `{}`; {}", text, suggestion(text, names))};
    }
    events |= *event;
  }
  return llvm::MCOperand::createImm(events);
}

std::variant<unsigned, StatementError> read_tokens(const InstructionSyntax& syntax,
                                                   const Statement& statement) {
  unsigned tokens = 0;
  std::string_view defer;
  for (const std::string_view token : statement.tokens) {
    unsigned bits = bit_of(syntax.tokens, token) & syntax.allowed_tokens;
    if (token.starts_with("defer")) {
      const auto count = read_defer(syntax, token);
      if (const auto* error = std::get_if<StatementError>(&count))
        return *error;
      bits = std::get<unsigned>(count) << defer_position(syntax.tokens);
      if (!defer.empty())
        return StatementError{token.data(), "defer is given twice"};
      defer = token;
    }
    if (bits == 0)
      return refusal(syntax, token);
    if ((tokens & bits) != 0)
      return StatementError{token.data(), fmt::format("`{}` is given twice", token)};
    tokens |= bits;
  }
  if (syntax.tokens != TokensKind::kReferenceTokens)
    return tokens;
  if (!is_token_set(tokens & 0xfff))
    return StatementError{statement.mnemonic.data(), "ctx_swap and sig_done exclude each other"};
  if (!defer.empty() && (tokens & kCtxSwap) == 0)
    return StatementError{defer.data(), "a reference takes defer only together with ctx_swap"};
  return tokens;
}

}  // namespace nplab::isa
