// Which tasks each stage runs, in order, and what a packet carries from stage to stage.
#pragma once

#include <vector>

#include "mappings/resolver/resolve.h"
#include "mappings/resolver/stage_graph.h"

namespace nplab::mappings {

// The calls of a stage: its selections, with those of a task per dimension unfolded. Unknown tasks
// and dimensions are reported.
std::vector<TaskCall> unfold_calls(const StageEntry& stage, const Manifest& manifest,
                                   std::size_t dimensions, Diagnostics& diagnostics);

// Does every packet meet every task, and every dimension of it, exactly once, and read no metadata
// before it is written?
void check_tasks(const StageGraph& graph, const std::vector<std::size_t>& order,
                 const std::vector<std::vector<TaskCall>>& calls, const ResolveInputs& inputs,
                 Diagnostics& diagnostics);

// The metadata that each stage needs of the packets that come to it: written before, read there or
// later and not written in between. By traversal of the graph; each in the manifest's order.
std::vector<std::vector<MetadataElement>> carried_into_stages(
    const StageGraph& graph, const std::vector<std::size_t>& order,
    const std::vector<std::vector<TaskCall>>& calls, const ResolveInputs& inputs);

// Does the stage hand its packets to transmit?
bool leads_to_transmit(const StageGraph& graph, std::size_t stage, const MappingFile& mapping);

}  // namespace nplab::mappings
