// From an algorithm's profile to what each stage of a placement demands for a packet.
#pragma once

#include <vector>

#include "experiments/prediction/algorithm_profile.h"
#include "mappings/resolver/placement.h"
#include "simulator/parameters/chip_parameters.h"

namespace nplab::experiments {

// How the packets of a stage come to its threads.
enum class PacketSharing {
  kEqual,    // each thread has rings of its own, filled in turn, or a port
  kBySpeed,  // threads take packets from common rings as they are ready
};

struct EngineThreads {
  std::size_t engine = 0;
  double threads = 0;
};

// What a stage's threads do at one of its queues.
struct QueueOperation {
  std::size_t queue = 0;  // of the placement
  bool puts = false;
  double per_packet = 0;
  Demand once;  // for a packet
  Demand look;  // in vain
};

struct StageDemand {
  std::size_t stage = 0;  // of the placement
  Demand work;            // for a packet that comes to the stage
  Demand look;            // for work, in vain
  double pause = 0;       // cycles between two looks
  Demand blocked_look;    // for room, in vain
  double blocked_pause = 0;
  std::vector<QueueOperation> operations;  // parts of `work`
  double share = 1;                        // of the received packets that come to it
  PacketSharing sharing{};
  std::vector<EngineThreads> threads;
  std::vector<EngineThreads> unused;  // threads that look and never find: of ports without traffic
};

// In the order of the placement's stages; `ports_in`: which ports bring packets. Operations on
// queues that the profiled run did not have are estimated from those that it had, by their
// references (HandOverCost).
std::vector<StageDemand> stage_demands(const AlgorithmProfile& profile,
                                       const mappings::Placement& placement,
                                       const simulator::ChipDescription& chip,
                                       const std::vector<bool>& ports_in);

// References of one longword, one after the other, each with a context swap.
Demand references(const simulator::ChipDescription& chip, std::size_t unit, double count);

// The unit of kUnitNames that has the memory.
std::size_t unit_of_memory(isa::MemorySpace space);

// What receive does with a packet that finds its queue full, less what it does with another.
Demand drop_demand(const StageDemand& receive, const simulator::ChipDescription& chip);

}  // namespace nplab::experiments
