#include "experiments/studies/study_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "support/near_miss.h"

namespace nplab::experiments {
namespace {

using FilterValue = StudyFilter::Value;
using Expression = StudyFilter::Expression;

// Ends parsing or evaluation; does not leave this file.
struct FilterProblem {
  std::string text;
};

FilterValue value_of(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0')
    return number;
  return text;
}

double number_in(const FilterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value))
    throw FilterProblem{fmt::format("'{}' is not a number", *text)};
  return std::get<double>(value);
}

FilterValue truth(bool holds) {
  return holds ? 1.0 : 0.0;
}

double remainder_of(double a, double b) {
  if (b == 0)
    throw FilterProblem{"the divisor is 0"};
  return std::fmod(a, b);
}

double quotient(double a, double b) {
  if (b == 0)
    throw FilterProblem{"the divisor is 0"};
  return a / b;
}

struct Operator {
  std::string_view sign;
  FilterValue (*apply)(const FilterValue& a, const FilterValue& b);
};

constexpr std::array kSums{
    Operator{"+",
             [](const FilterValue& a, const FilterValue& b) -> FilterValue {
               return number_in(a) + number_in(b);
             }},
    Operator{"-", [](const FilterValue& a, const FilterValue& b) -> FilterValue {
               return number_in(a) - number_in(b);
             }}};
constexpr std::array kProducts{
    Operator{"*",
             [](const FilterValue& a, const FilterValue& b) -> FilterValue {
               return number_in(a) * number_in(b);
             }},
    Operator{"/",
             [](const FilterValue& a, const FilterValue& b) -> FilterValue {
               return quotient(number_in(a), number_in(b));
             }},
    Operator{"%", [](const FilterValue& a, const FilterValue& b) -> FilterValue {
               return remainder_of(number_in(a), number_in(b));
             }}};
// A sign that begins another one stands after it.
constexpr std::array kComparisons{
    Operator{"==", [](const FilterValue& a, const FilterValue& b) { return truth(a == b); }},
    Operator{"!=", [](const FilterValue& a, const FilterValue& b) { return truth(a != b); }},
    Operator{"<=", [](const FilterValue& a,
                      const FilterValue& b) { return truth(number_in(a) <= number_in(b)); }},
    Operator{">=", [](const FilterValue& a,
                      const FilterValue& b) { return truth(number_in(a) >= number_in(b)); }},
    Operator{"<", [](const FilterValue& a,
                     const FilterValue& b) { return truth(number_in(a) < number_in(b)); }},
    Operator{">", [](const FilterValue& a, const FilterValue& b) {
               return truth(number_in(a) > number_in(b));
             }}};

// Recursive descent, from what binds least to what binds most.
class FilterParser {
 public:
  FilterParser(std::string_view text, const std::vector<std::string>& names)
      : rest_(text), names_(names) {}

  Expression condition() {
    Expression whole = alternatives();
    skip_blanks();
    if (!rest_.empty())
      throw FilterProblem{fmt::format("'{}' is not expected here", rest_)};
    return whole;
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0)
      rest_.remove_prefix(1);
  }

  static bool is_in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  }

  bool take_sign(std::string_view sign) {
    skip_blanks();
    if (!rest_.starts_with(sign))
      return false;
    rest_.remove_prefix(sign.size());
    return true;
  }

  bool take_word(std::string_view word) {
    skip_blanks();
    if (!rest_.starts_with(word) || (rest_.size() > word.size() && is_in_name(rest_[word.size()])))
      return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  Expression alternatives() {
    Expression first = conjunction();
    while (take_word("or")) {
      first = [a = std::move(first), b = conjunction()](const Combination& at) {
        return truth(number_in(a(at)) != 0 || number_in(b(at)) != 0);
      };
    }
    return first;
  }

  Expression conjunction() {
    Expression first = negation();
    while (take_word("and")) {
      first = [a = std::move(first), b = negation()](const Combination& at) {
        return truth(number_in(a(at)) != 0 && number_in(b(at)) != 0);
      };
    }
    return first;
  }

  Expression negation() {
    if (!take_word("not"))
      return comparison();
    return [a = negation()](const Combination& at) { return truth(number_in(a(at)) == 0); };
  }

  template <std::size_t N>
  const Operator* take_operator(const std::array<Operator, N>& operators) {
    for (const Operator& one : operators) {
      if (take_sign(one.sign))
        return &one;
    }
    return nullptr;
  }

  static Expression applied(const Operator& one, Expression a, Expression b) {
    return [apply = one.apply, a = std::move(a), b = std::move(b)](const Combination& at) {
      return apply(a(at), b(at));
    };
  }

  Expression comparison() {
    Expression first = sum();
    const Operator* sign = take_operator(kComparisons);
    return sign == nullptr ? first : applied(*sign, std::move(first), sum());
  }

  Expression sum() {
    Expression first = product();
    while (const Operator* sign = take_operator(kSums))
      first = applied(*sign, std::move(first), product());
    return first;
  }

  Expression product() {
    Expression first = factor();
    while (const Operator* sign = take_operator(kProducts))
      first = applied(*sign, std::move(first), factor());
    return first;
  }

  Expression factor() {
    if (take_sign("-"))
      return [a = factor()](const Combination& at) -> FilterValue { return -number_in(a(at)); };
    if (take_sign("(")) {
      Expression inner = alternatives();
      if (!take_sign(")"))
        throw FilterProblem{"a ')' is missing"};
      return inner;
    }
    if (take_sign("'"))
      return quoted('\'');
    if (take_sign("\""))
      return quoted('"');
    return name_or_number();
  }

  Expression quoted(char quote) {
    const auto end = rest_.find(quote);
    if (end == std::string_view::npos)
      throw FilterProblem{fmt::format("a {} is missing", quote)};
    const std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return [value = value_of(text)](const Combination&) { return value; };
  }

  Expression name_or_number() {
    skip_blanks();
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_in_name);
    const std::string word(rest_.begin(), end);
    if (word.empty())
      throw FilterProblem{"a name or a number is missing" +
                          (rest_.empty() ? " at the end" : fmt::format(" before '{}'", rest_))};
    rest_.remove_prefix(word.size());
    const auto name = std::find(names_.begin(), names_.end(), word);
    if (name != names_.end()) {
      const auto index = static_cast<std::size_t>(name - names_.begin());
      return [index](const Combination& at) { return value_of(at[index]); };
    }
    FilterValue value = value_of(word);
    if (std::holds_alternative<std::string>(value))
      throw FilterProblem{fmt::format("there is no axis '{}'; {}; text is written in quotes", word,
                                      suggestion(word, names_))};
    return [value = std::move(value)](const Combination&) -> FilterValue { return value; };
  }

  std::string_view rest_;
  const std::vector<std::string>& names_;
};

}  // namespace

std::optional<StudyFilter> StudyFilter::parse(const std::string& text,
                                              const std::vector<std::string>& names,
                                              std::string& problem) {
  try {
    return StudyFilter(FilterParser(text, names).condition());
  } catch (const FilterProblem& found) {
    problem = found.text;
    return std::nullopt;
  }
}

std::optional<bool> StudyFilter::keeps(const Combination& combination, std::string& problem) const {
  try {
    return number_in(expression_(combination)) != 0;
  } catch (const FilterProblem& found) {
    problem = found.text;
    return std::nullopt;
  }
}

}  // namespace nplab::experiments
