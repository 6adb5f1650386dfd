// What the tests of the DRAM share: a memory of two ranks, and commands that follow one another as
// closely as a table of constraints allows.
#pragma once

#include <random>
#include <vector>

#include "simulator/dram/device_timing.h"
#include "simulator/dram/dram_memory.h"
#include "simulator/dram/trace_checker.h"

namespace nplab::test {

using namespace simulator::dram;

inline Organization two_ranks() {
  return {.channels = 1, .ranks = 2, .groups = 4, .banks = 2, .rows = 4, .columns = 4};
}

inline Ddr4Timing ddr4_2666() {
  return timing_of(Speed::k2666, Density::k8Gb, Width::kX8);
}

// Random commands, each in the first clock in which the model allows it.
inline std::vector<IssuedCommand> tight_trace(const Organization& organization,
                                              const std::vector<Constraint>& constraints,
                                              unsigned commands, std::uint64_t seed) {
  DeviceTiming device(organization, constraints);
  std::mt19937_64 random(seed);
  std::vector<IssuedCommand> trace;
  Clock now = 0;
  unsigned activations = 0;  // to come in a row
  unsigned rank = 0;         // where
  const auto below = [&random](unsigned most) { return static_cast<unsigned>(random() % most); };
  while (trace.size() < commands) {
    Place place{below(organization.ranks), below(organization.groups), below(organization.banks),
                below(organization.rows), below(organization.columns)};
    auto command = static_cast<DramCommand>(below(kDramCommands));
    if (activations == 0 && below(64) == 0) {
      activations = 12;
      rank = place.rank;
    }
    if (activations != 0) {
      --activations;
      command = DramCommand::kActivate;
      place.rank = rank;
    }
    const auto open = device.open_row(place);
    if (has(kColumns, command)) {
      if (!open)
        continue;
      place.row = *open;
    } else if (command == DramCommand::kActivate ? open.has_value()
                                                 : command == DramCommand::kPrecharge && !open) {
      continue;
    }
    if (command == DramCommand::kRefresh || command == DramCommand::kPrechargeAll) {
      if (below(4) != 0 || (command == DramCommand::kRefresh && device.has_open_rows(place.rank)))
        continue;
      place = {.rank = place.rank};
    }
    now = std::max(now, device.earliest(command, place));
    device.issue(command, place, now);
    trace.push_back({now, 0, command, place});
  }
  return trace;
}

}  // namespace nplab::test
