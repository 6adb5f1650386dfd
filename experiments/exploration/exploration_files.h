// What a search leaves behind: mapping files with their reasons, a report as text, JSON and a page.
#pragma once

#include <string>

#include "experiments/exploration/exploration.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// Writes the mapping of a simulated point. Its comments say what was chosen, predicted and
// simulated, what bounds it, and how to run it again.
void write_mapping_file(const std::string& file, const ExplorationRequest& request,
                        const Terrain& terrain, const Exploration& found,
                        const SimulatedPoint& point, Diagnostics& diagnostics);

// What bounds a mapping: the ports, or the resource that is busiest.
Bound bound_of(const Exploration& found, const MappingFigures& figures);

// The report; schema nplab.explore/1; one self-contained page.
std::string exploration_text(const ExplorationRequest& request, const Terrain& terrain,
                             const Exploration& found);
std::string exploration_json(const ExplorationRequest& request, const Terrain& terrain,
                             const Exploration& found);
std::string exploration_page(const ExplorationRequest& request, const Terrain& terrain,
                             const Exploration& found);

// `points: 360` and how many of them are legal, and what that means.
std::string count_text(const Space& space, const SpaceCount& count);

}  // namespace nplab::experiments
