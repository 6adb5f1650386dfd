// Threads as customers of engines and memory units: approximate mean-value analysis.
//
// A thread that is asked for fewer packets than it could serve looks for work in the remaining
// time, and its looks take engine and memory from others. docs/prediction.md derives the equations.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "experiments/prediction/demand.h"

namespace nplab::experiments {

// A section of code that only one of several threads is in at a time.
struct ExclusiveSection {
  std::size_t lock = 0;
  double per_packet = 0;  // how often a packet's thread is in it
  double per_look = 0;
  Demand held;  // what a thread does meanwhile, for a packet
  Demand held_by_look;
  std::optional<std::size_t> inner;  // a lock that it waits for within
};

// The threads of a stage on one engine.
struct ThreadGroup {
  double threads = 0;
  std::size_t engine = 0;
  Demand work;             // of a packet
  Demand look;             // of a look in vain; nothing at all: the thread sleeps meanwhile
  double pause = 0;        // cycles between two looks, in which the thread yields again and again
  double pause_burst = 0;  // cycles for which it keeps the engine each time
  double rate = 0;         // packets per cycle that are asked of the group
  std::vector<ExclusiveSection> sections;
};

// How a unit differs from a server of constant speed.
struct UnitService {
  double turn_around = 0;     // cycles, when a reference follows one of the other direction
  double same_bank_wait = 0;  // cycles, when a reference follows one to the same bank
  double same_bank_share = 0;
};

struct ThreadNetwork {
  std::size_t engines = 0;
  std::vector<ThreadGroup> groups;
  std::vector<double> locks;  // of each: how many there are of it, used alike
  std::array<UnitService, kUnits> units;
  double command_cycles = 1;  // of the command bus, for each reference
  double wake_up = 0;         // cycles until a thread that an idle engine dispatches executes
};

struct GroupSolution {
  double response = 0;  // cycles from taking a packet to being ready for the next
  double look = 0;      // cycles of a look in vain, with its pause
  double looks = 0;     // in vain, per cycle
  double rate = 0;      // packets per cycle: what was asked for, or the most it can serve
  [[nodiscard]] bool meets(const ThreadGroup& group) const {
    return response * group.rate <= group.threads * (1 + 1e-6);
  }
};

// Shares of all cycles, 0 to 1.
struct StationUse {
  double useful = 0;
  double polling = 0;  // looks in vain
};

struct NetworkSolution {
  std::vector<GroupSolution> groups;
  std::vector<StationUse> engines;
  std::array<StationUse, kUnits> units;
};

NetworkSolution solve(const ThreadNetwork& network);

}  // namespace nplab::experiments
