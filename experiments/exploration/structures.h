// Structures: which engines and threads run the stages of a cut. Engines are interchangeable, since
// a chip file describes them all alike; a structure says how many a stage has, not which, and so
// stands for all mappings that differ in the numbers of engines alone.
#pragma once

#include <vector>

#include "experiments/exploration/space_file.h"
#include "experiments/exploration/task_graph.h"
#include "mappings/resolver/link.h"

namespace nplab::experiments {

struct Structure {
  std::size_t cut = 0;  // its index
  EngineSharing sharing = EngineSharing::kOwn;
  std::vector<unsigned> engines;  // of each stage of tasks, in the cut's order; of a pool: one
  std::vector<unsigned> threads;  // of each stage of tasks, on each of its engines
  unsigned receive_engines = 1;
  unsigned receive_threads = 1;  // on each
  PortEngines port_engines = PortEngines::kApart;
  unsigned transmit_threads = 1;  // of the one engine that transmits
  friend bool operator==(const Structure&, const Structure&) = default;

  [[nodiscard]] unsigned all_engines() const;
  // Threads of the stage of tasks `stage` on all of its engines.
  [[nodiscard]] unsigned threads_of(std::size_t stage) const;
  // Threads of all stages of tasks.
  [[nodiscard]] unsigned task_threads() const;
};

inline constexpr std::size_t kMostStructures = 2'000'000;

// All structures of the cuts, each once. `ports` arrive, one thread each. At most kMostStructures +
// 1: then there are more.
std::vector<Structure> structures_of(const SpaceDescription& space, const std::vector<Cut>& cuts,
                                     const mappings::ChipFacts& chip, unsigned ports);

}  // namespace nplab::experiments
