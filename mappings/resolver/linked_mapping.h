// The result of linking (link.h), as the resolver's steps use it. Immutable once made.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "mappings/resolver/fork_join.h"
#include "mappings/resolver/link.h"
#include "mappings/resolver/placement.h"
#include "mappings/resolver/stage_graph.h"

namespace nplab::mappings {

struct LinkedMapping {
  // The stages that a queue joins.
  struct QueueEnds {
    std::size_t from = 0;
    std::size_t to = 0;
  };

  MappingFile mapping;
  Manifest manifest;
  ChipFacts chip;
  StageGraph graph;
  std::optional<std::vector<std::size_t>> order;  // of the stages, topological; none: a cycle
  std::vector<std::vector<ThreadPlace>> threads;  // by stage
  std::vector<Fork> forks;
  std::vector<std::optional<QueueEnds>> ends;         // by queue; none: an unknown stage
  std::vector<std::vector<QueueInstance>> instances;  // by queue, without bases
  std::vector<QueueProtocol> protocols;               // by queue
  ParameterValues parameters;
  std::map<std::string, isa::MemorySpace> table_memories;

  // Does every queue join two stages? Otherwise a packet's way cannot be judged: one error would be
  // reported over and over.
  [[nodiscard]] bool is_whole() const { return mappings::is_whole(graph, mapping); }
};

}  // namespace nplab::mappings
