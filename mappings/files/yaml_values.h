// What manifests and mapping files share: values with their places, and memories by name.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "isa/program_image.h"
#include "support/diagnostics.h"

namespace nplab::mappings {

// A value and where the user wrote it.
template <typename T>
struct Located {
  T value{};
  SourceLocation location;
};

// `sram`, `sdram`, `scratch`.
std::string memory_name(isa::MemorySpace space);
std::optional<isa::MemorySpace> memory_named(std::string_view name);

}  // namespace nplab::mappings
