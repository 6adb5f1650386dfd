// Words of the assembly language with a number after them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace nplab::isa {

struct NamedNumber {
  std::string_view name;
  std::uint16_t number;
};

// The name of a number; empty if it has none.
template <std::size_t size>
constexpr std::string_view name_of(const std::array<NamedNumber, size>& names,
                                   std::uint16_t number) {
  for (const NamedNumber& entry : names)
    if (entry.number == number)
      return entry.name;
  return {};
}

template <std::size_t size>
constexpr std::optional<std::uint16_t> number_of(const std::array<NamedNumber, size>& names,
                                                 std::string_view name) {
  for (const NamedNumber& entry : names)
    if (entry.name == name)
      return entry.number;
  return std::nullopt;
}

}  // namespace nplab::isa
