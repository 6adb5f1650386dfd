#include "mappings/files/yaml_values.h"

#include <algorithm>
#include <array>

namespace nplab::mappings {
namespace {

constexpr std::array<std::string_view, 3> kMemoryNames = {
    "sram", "sdram", "scratch"};  // in the order of isa::MemorySpace

}  // namespace

std::string memory_name(isa::MemorySpace space) {
  return std::string(kMemoryNames.at(static_cast<std::size_t>(space)));
}

std::optional<isa::MemorySpace> memory_named(std::string_view name) {
  const auto* at = std::find(kMemoryNames.begin(), kMemoryNames.end(), name);
  if (at == kMemoryNames.end())
    return std::nullopt;
  return static_cast<isa::MemorySpace>(at - kMemoryNames.begin());
}

}  // namespace nplab::mappings
