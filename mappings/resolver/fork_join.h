// Forks: a stage that hands every packet to each of its queues (`outputs: each`), the branches that
// lead from there, and the stage in which they meet, which takes a packet from each of its queues
// (`inputs: each`).
//
// What keeps the parts of a packet together is their order: a fork has lanes, a thread of every
// stage in it each, and a lane's rings have one producer and one consumer and refuse nothing. So
// the entries at their heads are of one packet.
#pragma once

#include <cstddef>
#include <vector>

#include "mappings/resolver/placement.h"
#include "mappings/resolver/stage_graph.h"

namespace nplab::mappings {

struct Fork {
  struct Branch {
    std::vector<std::size_t> queues;  // from the fork to the join
    std::vector<std::size_t> stages;  // between them
  };
  std::size_t stage = 0;
  std::vector<Branch> branches;  // in the mapping's order of the queues that lead to the join
  std::size_t join = 0;
};

// All forks of a mapping whose wiring is whole and free of cycles; `threads` by stage. What is none
// is reported: a branch that ends elsewhere or forks again, stages of unequal numbers of threads,
// rings that threads share, queues that drop.
std::vector<Fork> find_forks(const StageGraph& graph, const MappingFile& mapping,
                             const std::vector<std::vector<ThreadPlace>>& threads,
                             Diagnostics& diagnostics);

// Two branches must not write the same metadata; `calls` by stage.
void check_fork_tasks(const std::vector<Fork>& forks, const MappingFile& mapping,
                      const std::vector<std::vector<TaskCall>>& calls, Diagnostics& diagnostics);

// Of what the join needs, what a queue that leads to it brings: what its branch writes, and the
// first what none does.
std::vector<MetadataElement> carried_by_branch(const Fork& fork, std::size_t queue,
                                               const std::vector<std::vector<TaskCall>>& calls,
                                               const std::vector<MetadataElement>& needed);

}  // namespace nplab::mappings
