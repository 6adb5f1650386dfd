// A condition that a study's combinations must meet: `entries >= 2 * threads and memory != sram`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/studies/study_design.h"

namespace nplab::experiments {

class StudyFilter {
 public:
  // Nothing, and what is wrong in `problem`, when the text is not a condition over `names`:
  // numbers, names, quoted text, + - * / %, == != < <= > >=, and, or, not, parentheses.
  static std::optional<StudyFilter> parse(const std::string& text,
                                          const std::vector<std::string>& names,
                                          std::string& problem);

  // Whether the combination meets it; nothing, and why in `problem`, when it cannot be computed,
  // such as the product of a number and a word.
  [[nodiscard]] std::optional<bool> keeps(const Combination& combination,
                                          std::string& problem) const;

  // A number, or a text that is not one. A condition gives 0 or 1.
  using Value = std::variant<double, std::string>;
  using Expression = std::function<Value(const Combination&)>;

 private:
  explicit StudyFilter(Expression expression) : expression_(std::move(expression)) {}

  Expression expression_;
};

}  // namespace nplab::experiments
