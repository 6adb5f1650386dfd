// Threads that do nothing but hand entries over through one queue, by the code that a mapping's
// engines run: what a hand-over costs, and whether it is right under any latencies.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mappings/resolver/placement.h"
#include "simulator/run/simulation.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

struct QueueTraffic {
  std::vector<mappings::ThreadPlace> producers;
  std::vector<mappings::ThreadPlace> consumers;
  mappings::QueuePer per = mappings::QueuePer::kShared;
  mappings::QueueRoute route = mappings::QueueRoute::kOwn;
  mappings::QueueSync sync = mappings::QueueSync::kAuto;
  mappings::LockPrimitive primitive = mappings::LockPrimitive::kTestAndSet;
  mappings::QueueRelease release = mappings::QueueRelease::kDequeue;
  mappings::QueueWait wait = mappings::QueueWait::kPoll;
  isa::MemorySpace memory = isa::MemorySpace::kSram;
  std::uint32_t entries = 128;
  std::uint32_t entry_longwords = 2;
  std::uint32_t quantum = 1;
  std::uint32_t handed_over = 64;  // entries of each producer
  // Whether the first entry is taken only after the last was put, and each consumer ends with its
  // share: then nobody looks in vain. The ring must hold them all. Otherwise consumers never end.
  bool fills_first = false;
  // Instructions between two entries of a consumer, drawn from a generator that differs by thread:
  // spreads the order of threads.
  std::uint32_t longest_pause = 0;
  // As in a mapping.
  std::uint32_t call_instructions = 0;
  std::uint32_t kernel_instructions = 0;
};

// What a consumer obtained: the number of its producer among the producers, and of the entry among
// that producer's.
struct TakenEntry {
  std::uint32_t consumer = 0;  // number among the consumers
  std::uint32_t producer = 0;
  std::uint32_t entry = 0;
};

struct QueueTrafficResult {
  simulator::SimulationResult run;
  std::vector<TakenEntry> taken;  // in the order in which threads had them
  bool is_whole = true;           // every longword of every entry was the one that was put
};

// The queue as a mapping would have it, with its rings at fixed addresses. Reports a `sync` that
// does not fit the threads, and a primitive that does not fit the chip.
mappings::Queue make_traffic_queue(const QueueTraffic& traffic,
                                   const simulator::ChipDescription& chip,
                                   Diagnostics& diagnostics);

// The program of each engine, C, by its number.
std::map<unsigned, std::string> traffic_programs(const QueueTraffic& traffic,
                                                 const mappings::Queue& queue, unsigned contexts);

// Compiles and runs the programs, as `optimize: published`, on a chip that has the threads, until
// all of them end, but not beyond `most_cycles`. Nothing, and diagnostics, where that cannot be
// done.
std::optional<QueueTrafficResult> run_queue_traffic(const QueueTraffic& traffic,
                                                    const simulator::ChipDescription& chip,
                                                    simulator::Cycles most_cycles,
                                                    Diagnostics& diagnostics);

}  // namespace nplab::experiments
