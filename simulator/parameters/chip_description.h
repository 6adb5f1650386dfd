// Reading a chip from its YAML file.
#pragma once

#include <array>
#include <optional>

#include "simulator/parameters/chip_parameters.h"
#include "support/diagnostics.h"
#include "support/yaml.h"

namespace nplab::parameters {
struct KeyMap;
}  // namespace nplab::parameters

namespace nplab::simulator {

// Every key of a chip file.
const parameters::KeyMap& chip_keys();

// IX bus cycles that fit into `core_cycles`.
std::uint64_t ix_bus_cycles(const ClockDescription& clock, Cycles core_cycles);

// The devices of the SRAM's keys device0 to device3.
inline constexpr unsigned kMostSramDevices = 4;
std::array<std::optional<SramDeviceDescription>, kMostSramDevices> sram_devices(
    const SramDescription& sram);

// Checks a parsed chip file (strict keys, ranges, what depends on what). Reports all errors at once
// and gives nothing when there is one.
std::optional<ChipDescription> read_chip(const yaml::Node& root, Diagnostics& diagnostics);

}  // namespace nplab::simulator
