// Conversions that manifests and mapping files share. Each reports what does not convert at its own
// place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "isa/program_image.h"
#include "support/yaml.h"

namespace nplab::mappings {

// A value and where the user wrote it.
template <typename T>
struct Located {
  T value{};
  SourceLocation location;
};

// `sram`, `sdram`, `scratch`.
std::string memory_name(isa::MemorySpace space);
std::optional<isa::MemorySpace> read_memory(const yaml::Node& node, Diagnostics& diagnostics);

std::optional<std::int64_t> read_integer(const yaml::Node& node, std::int64_t min, std::int64_t max,
                                         Diagnostics& diagnostics);

// A word that may stand in C as a name: a letter or `_`, then letters, digits and `_`. Another word
// is reported and given all the same, so that what refers to it is found.
std::string read_identifier(const yaml::Node& node, Diagnostics& diagnostics);

// The index of the word among `words`; otherwise an error that lists them.
std::optional<std::size_t> read_choice(const yaml::Node& node,
                                       const std::vector<std::string>& words,
                                       Diagnostics& diagnostics);

// The value of a map's key that may be absent; `words` name the enumeration's values in their
// order.
template <typename Enum>
Enum read_enum(const yaml::Node& map, std::string_view key, const std::vector<std::string>& words,
               Enum otherwise, Diagnostics& diagnostics) {
  const yaml::Node* node = map.find(key);
  if (node == nullptr)
    return otherwise;
  const auto index = read_choice(*node, words, diagnostics);
  return index ? static_cast<Enum>(*index) : otherwise;
}

// A number within bounds; `min` after a report.
Located<std::uint32_t> read_count(const yaml::Node& node, std::uint32_t min, std::uint32_t max,
                                  Diagnostics& diagnostics);

// The items of a list; reports any other kind and gives none.
const std::vector<yaml::Node>& read_list(const yaml::Node& node, Diagnostics& diagnostics);

// The required words of a map's key; empty after a report.
std::string require_word(const yaml::Node& map, std::string_view key, Diagnostics& diagnostics);
std::string require_identifier(const yaml::Node& map, std::string_view key,
                               Diagnostics& diagnostics);
// The word of a key that may be absent.
std::string optional_word(const yaml::Node& map, std::string_view key, Diagnostics& diagnostics);

}  // namespace nplab::mappings
