// What stands behind ChipModel and Program, for their loaders (experiments/component) and the chip.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nplab/systemc/program.h"
#include "simulator/run/simulation.h"

namespace nplab::systemc {

struct ChipModel::Contents {
  std::string word;              // as load_chip was given it
  std::vector<std::string> set;  // KEY=VALUE
  simulator::ChipDescription chip;
};

struct Program::Contents {
  std::string name;
  const simulator::SimulationInputs* inputs = nullptr;  // without stop conditions
  std::shared_ptr<const void> owner;                    // of what the inputs and functions refer to
  std::function<std::optional<std::uint32_t>(std::span<const std::uint8_t> frame)> classify;
  std::function<std::vector<std::uint32_t>(std::span<const std::uint8_t> frame)> matches;
  std::function<bool(std::optional<std::uint32_t> rule)> passes;
  std::function<std::unique_ptr<TableUpdater>()> updater;
  std::vector<RuleUpdate> updates;
  std::vector<bool> in_force_at_start;
  std::function<std::optional<Place>(const std::string& table)> table;
  std::size_t frames = 0;
  std::function<std::span<const std::uint8_t>(std::size_t index)> frame;
  // The traffic as it arrives; null: nothing does.
  std::function<std::unique_ptr<workloads::PacketSource>()> traffic;
};

}  // namespace nplab::systemc
