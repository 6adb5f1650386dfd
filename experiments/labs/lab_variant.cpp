#include "experiments/labs/lab_variant.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <random>
#include <sstream>
#include <utility>

namespace nplab::experiments {
namespace {

using Values = std::map<std::string, std::string>;

constexpr std::uint64_t kMostSeeds = 10000;  // {seed} has four digits at most

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Whether `word` stands at `at`, and not as a part of a longer word.
bool stands_at(const std::string& text, std::size_t at, const std::string& word) {
  if (text.compare(at, word.size(), word) != 0)
    return false;
  const std::size_t end = at + word.size();
  const bool joins_before = at > 0 && is_of_word(text[at - 1]) && is_of_word(word.front());
  const bool joins_after = end < text.size() && is_of_word(text[end]) && is_of_word(word.back());
  return !joins_before && !joins_after;
}

// One row of each table.
std::optional<Values> drawn_values(const yaml::Node& tables, std::uint64_t seed,
                                   Diagnostics& diagnostics) {
  std::mt19937_64 random(seed);
  Values values{{"seed", std::to_string(1 + random() % kMostSeeds)}};
  for (const yaml::Node& table : tables.items()) {
    if (!table.is_list() || table.items().empty()) {
      diagnostics.error(table.location(), "expected a list of rows, one of which is drawn");
      return std::nullopt;
    }
    const yaml::Node& row = table.items()[random() % table.items().size()];
    for (const std::string& name : row.keys())
      values[name] = row.find(name)->scalar();
  }
  return values;
}

// `text` with values in the place of names in braces.
std::optional<std::string> filled_in(const yaml::Node& text, const Values& values,
                                     Diagnostics& diagnostics) {
  std::string filled;
  const std::string& from = text.scalar();
  for (std::size_t at = 0; at < from.size();) {
    const std::size_t end = from[at] == '{' ? from.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      filled += from[at++];
      continue;
    }
    const auto value = values.find(from.substr(at + 1, end - at - 1));
    if (value == values.end()) {
      diagnostics.error(text.location(), fmt::format("'{}' is not a name of a row that is drawn",
                                                     from.substr(at + 1, end - at - 1)));
      return std::nullopt;
    }
    filled += value->second;
    at = end + 1;
  }
  return filled;
}

}  // namespace

std::optional<LabVariant> LabVariant::draw(const yaml::Node& description, std::uint64_t seed,
                                           Diagnostics& diagnostics) {
  description.reject_unknown_keys({"draw", "replace"}, diagnostics);
  const yaml::Node* tables = description.require("draw", diagnostics);
  const yaml::Node* replace = description.require("replace", diagnostics);
  const auto values = tables != nullptr ? drawn_values(*tables, seed, diagnostics) : std::nullopt;
  if (replace == nullptr || !values)
    return std::nullopt;
  LabVariant variant;
  variant.seed_ = seed;
  for (const yaml::Node& one : replace->items()) {
    one.reject_unknown_keys({"text", "by"}, diagnostics);
    const yaml::Node* text = one.require("text", diagnostics);
    const yaml::Node* by = one.require("by", diagnostics);
    const auto value = by != nullptr ? filled_in(*by, *values, diagnostics) : std::nullopt;
    if (text != nullptr && value)
      variant.replacements_.emplace_back(text->scalar(), *value);
  }
  return diagnostics.has_errors() ? std::nullopt : std::optional(std::move(variant));
}

void LabVariant::replace(std::string text, std::string by) {
  replacements_.emplace_back(std::move(text), std::move(by));
}

std::string LabVariant::applied_to(const std::string& text) const {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto found =
        std::find_if(replacements_.begin(), replacements_.end(),
                     [&](const auto& one) { return stands_at(text, at, one.first); });
    if (found == replacements_.end()) {
      result += text[at++];
      continue;
    }
    result += found->second;
    at += found->first.size();
  }
  return result;
}

std::vector<std::string> LabVariant::applied_to(const std::vector<std::string>& words) const {
  if (replacements_.empty())
    return words;
  std::istringstream line(applied_to(fmt::format("{}", fmt::join(words, " "))));
  std::vector<std::string> result;
  for (std::string word; line >> word;)
    result.push_back(word);
  return result;
}

}  // namespace nplab::experiments
