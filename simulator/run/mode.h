// How far parts of the chip run ahead of each other. The result is the same.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace nplab::simulator {

enum class Mode {
  kWindows,   // as far as no part can notice
  kLockstep,  // not at all: every part through each cycle
};

struct ModeName {
  Mode mode;
  std::string_view name;
};

// As options and run records write it.
inline constexpr std::array kModeNames{ModeName{Mode::kWindows, "windows"},
                                       ModeName{Mode::kLockstep, "lockstep"}};

constexpr std::string_view name_of(Mode mode) {
  return kModeNames[static_cast<std::size_t>(mode)].name;
}

constexpr std::optional<Mode> mode_named(std::string_view name) {
  for (const ModeName& row : kModeNames) {
    if (row.name == name)
      return row.mode;
  }
  return std::nullopt;
}

}  // namespace nplab::simulator
