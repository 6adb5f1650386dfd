#include "experiments/studies/study_words.h"

#include <fmt/format.h>

#include <cmath>

namespace nplab::experiments {

const char* name_of(JudgedClaim::Outcome outcome) {
  switch (outcome) {
    case JudgedClaim::Outcome::kHeld: return "held";
    case JudgedClaim::Outcome::kFailed: return "FAILED";
    case JudgedClaim::Outcome::kNotLookedAt: return "not looked at";
  }
  return "";
}

std::string bounds_text(const StudyClaim& claim) {
  std::string text;
  const auto add = [&](const char* word, const std::optional<double>& bound) {
    if (bound)
      text += fmt::format("{}{} {:g}", text.empty() ? "" : ", ", word, *bound);
  };
  add("at least", claim.at_least);
  add("at most", claim.at_most);
  add("below", claim.below);
  return text;
}

std::string figure_text(std::optional<double> value) {
  if (!value)
    return "-";
  return fmt::format("{:.{}f}", *value, std::abs(*value) >= 1000 ? 0 : 2);
}

std::optional<double> ratio_of(std::optional<double> value, std::optional<double> base) {
  if (!value || !base || *base == 0)
    return std::nullopt;
  return *value / *base;
}

}  // namespace nplab::experiments
