// The graph of a mapping: stages are its vertices, queues its edges (Boost.Graph).
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstddef>
#include <optional>
#include <vector>

#include "mappings/files/mapping_file.h"

namespace nplab::mappings {

// A vertex's number is the stage's index; an edge carries the queue's index.
struct QueueIndex {
  std::size_t queue = 0;
};
using StageGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS,
                                         boost::no_property, QueueIndex>;

// Queues whose producer or consumer is no stage are reported and left out; is_whole tells whether
// there were any.
StageGraph make_stage_graph(const MappingFile& mapping, Diagnostics& diagnostics);
bool is_whole(const StageGraph& graph, const MappingFile& mapping);

// Stages in topological order, or nothing when there is a cycle, which is reported with its stages:
// `a -> b -> a`.
std::optional<std::vector<std::size_t>> order_of_stages(const StageGraph& graph,
                                                        const MappingFile& mapping,
                                                        Diagnostics& diagnostics);

// Does the stage hand its packets to transmit?
bool leads_to_transmit(const StageGraph& graph, std::size_t stage, const MappingFile& mapping);

// Receive begins, transmit ends, every stage hands its packets to one queue unless it forks, and
// packets reach every stage.
void check_wiring(const StageGraph& graph, const MappingFile& mapping, Diagnostics& diagnostics);

}  // namespace nplab::mappings
