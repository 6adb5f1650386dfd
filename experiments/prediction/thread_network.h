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
  bool spins = false;                // who waits for it yields again and again
  bool puts = false;                 // it belongs to a put, otherwise to a get
};

// The threads of a stage on one engine. Engines with the same groups are one, with `copies`.
struct ThreadGroup {
  double threads = 0;  // of each copy
  double copies = 1;
  std::size_t engine = 0;
  Demand work;             // of a packet
  Demand look;             // of a look in vain; nothing at all: the thread sleeps meanwhile
  double pause = 0;        // cycles between two looks, in which the thread yields again and again
  double pause_burst = 0;  // cycles for which it keeps the engine each time
  double spin_burst = 0;   // cycles for which a thread that spins keeps the engine each time
  double rate = 0;  // packets per cycle that are asked of each copy, unless they follow a flow
  std::vector<ExclusiveSection> sections;
};

// How a unit differs from a server of constant speed.
struct UnitService {
  double turn_around = 0;     // cycles, when a reference follows one of the other direction
  double same_bank_wait = 0;  // cycles, when a reference follows one to the same bank
  double same_bank_share = 0;
};

// Groups whose threads take the same packets.
struct FlowStage {
  std::vector<std::size_t> groups;
  double share = 1;       // of the finished packets that come to it
  bool by_speed = false;  // a group takes as many as it is fast, otherwise as it has threads
  bool brings = false;    // it receives: nothing is finished that it does not bring
  bool drops = false;  // takes what is offered, or all that it can, and drops what is not finished
  Demand dropped;      // work for a packet that it drops, less that for another
};

// Packets that pass all stages at the highest rate that none of them exceeds.
struct PacketFlow {
  double offered = 0;  // packets per cycle
  double most = 0;     // that are finished
  std::vector<FlowStage> stages;
};

struct ThreadNetwork {
  std::size_t engines = 0;
  std::vector<ThreadGroup> groups;
  struct Lock {
    double count = 1;        // how many there are of it, used alike
    bool of_engine = false;  // each engine has its own
  };
  std::vector<Lock> locks;
  std::array<UnitService, kUnits> units;
  double command_cycles = 1;  // of the command bus, for each reference
  double wake_up = 0;         // cycles until a thread that an idle engine dispatches executes
  std::optional<PacketFlow> flow;
};

struct GroupSolution {
  double response = 0;  // cycles from taking a packet to being ready for the next
  double look = 0;      // cycles of a look in vain, with its pause
  double looks = 0;     // in vain, per cycle
  double rate = 0;      // packets per cycle: what was asked for, or the most it can serve
  double taking = 0;    // of `response`: waiting for a lock or a turn to take the packet
  [[nodiscard]] bool meets(const ThreadGroup& group) const {
    return response * group.rate <= group.threads * (1 + 1e-6);
  }
};

// Shares of all cycles, 0 to 1.
struct StationUse {
  double useful = 0;   // for packets
  double polling = 0;  // looks in vain
  double aborted = 0;  // of an engine, whoever aborted them
  [[nodiscard]] double busy() const { return useful + polling + aborted; }
};

struct NetworkSolution {
  std::vector<GroupSolution> groups;
  std::vector<StationUse> engines;
  std::array<StationUse, kUnits> units;
  double finished = 0;  // packets per cycle of the flow
  double received = 0;
  unsigned iterations = 0;
};

NetworkSolution solve(const ThreadNetwork& network);

}  // namespace nplab::experiments
