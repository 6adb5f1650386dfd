// nplab explore: finds mappings of an algorithm on a chip that nobody wrote.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/exploration/objectives.h"
#include "experiments/exploration/search.h"
#include "experiments/exploration/terrain.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// A listed mapping of the algorithm on the chip, for comparison.
struct ListedMapping {
  std::string name;
  Outcome outcome;
};

struct FoundMapping {
  std::string file;
  SimulatedPoint point;
};

struct Exploration {
  SpaceCount count;
  double port_rate = 0;
  std::vector<Objective> objectives;
  bool ports_are_reached = false;  // by a listed mapping
  std::vector<ListedMapping> listed;
  SearchResult search;
  std::vector<FoundMapping> front;  // the best first
  std::size_t resumed = 0;          // outcomes that the journal had
  std::string points;               // file with all runs (points_table.h)
  std::uint64_t short_packets = 0;
};

struct ExplorationStatus {
  std::string text;  // what is known so far
  double done = 0;
};

// Searches and writes the front's mappings. Nothing, and diagnostics, when the search cannot begin.
std::optional<Exploration> explore(const ExplorationRequest& request, const Terrain& terrain,
                                   const std::function<void(const ExplorationStatus&)>& progress,
                                   Diagnostics& diagnostics);

}  // namespace nplab::experiments
