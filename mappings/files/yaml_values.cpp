#include "mappings/files/yaml_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace nplab::mappings {
namespace {

const std::vector<std::string> kMemoryNames = {"sram", "sdram",
                                               "scratch"};  // in the order of isa::MemorySpace

bool is_identifier(std::string_view word) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
  return !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) == 0 &&
         std::all_of(word.begin(), word.end(), is_part);
}

}  // namespace

std::string memory_name(isa::MemorySpace space) {
  return kMemoryNames.at(static_cast<std::size_t>(space));
}

std::optional<isa::MemorySpace> read_memory(const yaml::Node& node, Diagnostics& diagnostics) {
  const auto choice = read_choice(node, kMemoryNames, diagnostics);
  if (!choice)
    return std::nullopt;
  return static_cast<isa::MemorySpace>(*choice);
}

std::optional<std::int64_t> read_integer(const yaml::Node& node, std::int64_t min, std::int64_t max,
                                         Diagnostics& diagnostics) {
  const auto value = node.as_integer(diagnostics);
  if (!value || (min <= *value && *value <= max))
    return value;
  diagnostics.error(node.location(),
                    fmt::format("{} is out of range; {} to {} are possible", *value, min, max));
  return std::nullopt;
}

std::string read_identifier(const yaml::Node& node, Diagnostics& diagnostics) {
  const auto word = node.as_string(diagnostics);
  if (word && !is_identifier(*word)) {
    diagnostics.error(
        node.location(),
        fmt::format("'{}' is no name; a name has letters, digits and '_', and begins with no digit",
                    *word));
  }
  return word.value_or("");
}

std::optional<std::size_t> read_choice(const yaml::Node& node,
                                       const std::vector<std::string>& words,
                                       Diagnostics& diagnostics) {
  const auto word = node.as_string(diagnostics);
  if (!word)
    return std::nullopt;
  const auto at = std::find(words.begin(), words.end(), *word);
  if (at != words.end())
    return static_cast<std::size_t>(at - words.begin());
  diagnostics.error(node.location(),
                    fmt::format("'{}' is none of {}", *word, fmt::join(words, ", ")));
  return std::nullopt;
}

Located<std::uint32_t> read_count(const yaml::Node& node, std::uint32_t min, std::uint32_t max,
                                  Diagnostics& diagnostics) {
  const auto value = read_integer(node, min, max, diagnostics);
  return {static_cast<std::uint32_t>(value.value_or(min)), node.location()};
}

const std::vector<yaml::Node>& read_list(const yaml::Node& node, Diagnostics& diagnostics) {
  static const std::vector<yaml::Node> kNone;
  if (node.is_list())
    return node.items();
  diagnostics.error(node.location(), "expected a list");
  return kNone;
}

std::string require_word(const yaml::Node& map, std::string_view key, Diagnostics& diagnostics) {
  const yaml::Node* node = map.require(key, diagnostics);
  return node == nullptr ? "" : node->as_string(diagnostics).value_or("");
}

std::string require_identifier(const yaml::Node& map, std::string_view key,
                               Diagnostics& diagnostics) {
  const yaml::Node* node = map.require(key, diagnostics);
  return node == nullptr ? "" : read_identifier(*node, diagnostics);
}

std::string optional_word(const yaml::Node& map, std::string_view key, Diagnostics& diagnostics) {
  const yaml::Node* node = map.find(key);
  return node == nullptr ? "" : node->as_string(diagnostics).value_or("");
}

}  // namespace nplab::mappings
