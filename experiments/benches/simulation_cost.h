// What simulating costs this host: instructions counted by callgrind, which other work on the host
// does not change.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::experiments {

bool has_callgrind();

// Host instructions that a command spends inside the simulation. The command's output goes to
// `output`. Nothing, and a diagnostic, when callgrind or the command fails.
std::optional<double> host_instructions(const std::vector<std::string>& command,
                                        const std::filesystem::path& output,
                                        Diagnostics& diagnostics);

// Host instructions inside one simulation, and its core cycles.
struct SimulationCost {
  double instructions = 0;
  double cycles = 0;
};

// Host instructions per core cycle, by the difference of two lengths, which takes out loading and
// collecting.
std::optional<double> instructions_per_cycle(const std::optional<SimulationCost>& shorter,
                                             const std::optional<SimulationCost>& longer);

}  // namespace nplab::experiments
