#include "experiments/debugging/expression.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <string_view>

#include "isa/operand_text.h"

namespace nplab::experiments {
namespace {

struct BinaryOperator {
  std::string_view text;
  int precedence;  // a higher one binds tighter
  std::uint32_t (*apply)(std::uint32_t, std::uint32_t);
};

// Longer ones first, so that `<<` is not read as `<`.
constexpr std::array kOperators{
    BinaryOperator{"||", 1, [](auto a, auto b) { return std::uint32_t{a != 0 || b != 0}; }},
    BinaryOperator{"&&", 2, [](auto a, auto b) { return std::uint32_t{a != 0 && b != 0}; }},
    BinaryOperator{"==", 6, [](auto a, auto b) { return std::uint32_t{a == b}; }},
    BinaryOperator{"!=", 6, [](auto a, auto b) { return std::uint32_t{a != b}; }},
    BinaryOperator{"<<", 8, [](auto a, auto b) { return b < 32 ? a << b : 0; }},
    BinaryOperator{">>", 8, [](auto a, auto b) { return b < 32 ? a >> b : 0; }},
    BinaryOperator{"<=", 7, [](auto a, auto b) { return std::uint32_t{a <= b}; }},
    BinaryOperator{">=", 7, [](auto a, auto b) { return std::uint32_t{a >= b}; }},
    BinaryOperator{"<", 7, [](auto a, auto b) { return std::uint32_t{a < b}; }},
    BinaryOperator{">", 7, [](auto a, auto b) { return std::uint32_t{a > b}; }},
    BinaryOperator{"|", 3, [](auto a, auto b) { return a | b; }},
    BinaryOperator{"^", 4, [](auto a, auto b) { return a ^ b; }},
    BinaryOperator{"&", 5, [](auto a, auto b) { return a & b; }},
    BinaryOperator{"+", 9, [](auto a, auto b) { return a + b; }},
    BinaryOperator{"-", 9, [](auto a, auto b) { return a - b; }},
    BinaryOperator{"*", 10, [](auto a, auto b) { return a * b; }},
    BinaryOperator{"/", 10, [](auto a, auto b) { return b != 0 ? a / b : 0; }},
    BinaryOperator{"%", 10, [](auto a, auto b) { return b != 0 ? a % b : 0; }}};

constexpr int kDeepest = 200;  // of nested parentheses

// By precedence climbing.
class Parser {
 public:
  Parser(std::string_view text, const ExpressionContext& context)
      : text_(text), context_(context) {}

  std::variant<std::uint32_t, ExpressionError> parse() {
    const std::uint32_t value = binary(1);
    skip_spaces();
    if (!error_ && at_ != text_.size())
      fail(fmt::format("'{}' is not understood", text_.substr(at_)));
    if (error_)
      return *error_;
    return value;
  }

 private:
  void fail(std::string message) {
    if (!error_)
      error_ = ExpressionError{std::move(message)};
    at_ = text_.size();
  }
  void skip_spaces() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
      ++at_;
  }
  bool take(std::string_view token) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(token))
      return false;
    at_ += token.size();
    return true;
  }

  std::uint32_t binary(int lowest) {
    std::uint32_t left = unary();
    for (;;) {
      const BinaryOperator* next = peek_operator();
      if (next == nullptr || next->precedence < lowest)
        return left;
      at_ += next->text.size();
      const std::uint32_t right = binary(next->precedence + 1);
      if (right == 0 && (next->text == "/" || next->text == "%"))
        fail("division by zero");
      left = next->apply(left, right);
    }
  }

  const BinaryOperator* peek_operator() {
    skip_spaces();
    for (const BinaryOperator& one : kOperators)
      if (text_.substr(at_).starts_with(one.text))
        return &one;
    return nullptr;
  }

  std::uint32_t unary() {
    if (++depth_ > kDeepest) {
      fail("the expression is nested too deeply");
      return 0;
    }
    std::uint32_t value = 0;
    if (take("-"))
      value = 0u - unary();
    else if (take("~"))
      value = ~unary();
    else if (take("!"))
      value = unary() == 0 ? 1 : 0;
    else if (take("(")) {
      value = binary(1);
      if (!take(")"))
        fail("a ')' is missing");
    } else {
      value = primary();
    }
    --depth_;
    return value;
  }

  std::uint32_t primary() {
    const std::string word = take_word();
    if (word.empty()) {
      fail("a number, a register such as a0, or memory such as sram[0x100] is missing");
      return 0;
    }
    if (std::isdigit(static_cast<unsigned char>(word.front())) != 0)
      return number(word);
    if (const auto space = memory_space_named(word))
      return memory(word, *space);
    const auto code = isa::parse_register(word);
    if (!code) {
      fail(fmt::format(
          "'{}' is not a register, number or memory; registers are a0 to a15, b0 to b15, "
          "$0 to $7 and $$0 to $$7, memory is sram[ADDRESS], sdram[ADDRESS] or "
          "scratch[ADDRESS]; variables' places are not recorded",
          word));
      return 0;
    }
    return context_.register_value(*code);
  }

  std::string take_word() {
    skip_spaces();
    const auto begin = at_;
    const auto is_part = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '$' || c == '@' || c == '_';
    };
    while (at_ < text_.size() && is_part(text_[at_]))
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::uint32_t number(const std::string& word) {
    const auto value = isa::parse_number(word);
    if (!value || *value > 0xffffffff) {
      fail(fmt::format("'{}' is not a number of 32 bits", word));
      return 0;
    }
    return static_cast<std::uint32_t>(*value);
  }

  std::uint32_t memory(const std::string& name, isa::MemorySpace space) {
    if (!take("[")) {
      fail(fmt::format("the address is missing: {}[ADDRESS]", name));
      return 0;
    }
    const std::uint32_t address = binary(1);
    if (!take("]")) {
      fail("a ']' is missing");
      return 0;
    }
    const auto value = address % 4 == 0 ? context_.longword(space, address) : std::nullopt;
    if (!value)
      fail(fmt::format("{} has no longword at {:#x}", name, address));
    return value.value_or(0);
  }

  std::string_view text_;
  const ExpressionContext& context_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::optional<ExpressionError> error_;
};

}  // namespace

const char* name_of(isa::MemorySpace space) {
  switch (space) {
    case isa::MemorySpace::kSram: return "sram";
    case isa::MemorySpace::kSdram: return "sdram";
    case isa::MemorySpace::kScratch: break;
  }
  return "scratch";
}

std::optional<isa::MemorySpace> memory_space_named(const std::string& name) {
  for (const auto space :
       {isa::MemorySpace::kSram, isa::MemorySpace::kSdram, isa::MemorySpace::kScratch})
    if (name == name_of(space))
      return space;
  return std::nullopt;
}

std::variant<std::uint32_t, ExpressionError> evaluate(const std::string& text,
                                                      const ExpressionContext& context) {
  return Parser(text, context).parse();
}

}  // namespace nplab::experiments
