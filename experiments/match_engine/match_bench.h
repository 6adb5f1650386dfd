// The match engine under load: the published figure of its rate over the number of flows, and what
// its parts are worth (docs/match-engine.md).
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::experiments {

// Notified of each point: what it is, and the share of it that is done.
using MatchProgress = std::function<void(const std::string& step, double done)>;

struct MatchBenchOptions {
  std::vector<std::string> figures = {"flows"};  // names of match_figures()
  std::vector<std::uint64_t> flows;              // of figure `flows`; none: from 1,000 to 1,000,000
  std::vector<unsigned> channels = {1, 2, 4};    // of figure `flows`
  std::uint64_t packets = 200'000;  // counted in each point; as many, at least 100,000, before
  unsigned window = 3;              // of a memory controller
  std::uint64_t seed = 1;
};

struct MatchFigure {
  std::string name;
  std::string sentence;
};
std::vector<MatchFigure> match_figures();

// JSON, schema nplab.bench_match_engine/1: the unit, and a list of points for each figure. Null,
// and diagnostics, when a figure is unknown.
nlohmann::ordered_json bench_match_engine(const MatchBenchOptions& options,
                                          const MatchProgress& progress, Diagnostics& diagnostics);

// The unit's modules and ports in Graphviz' language.
std::string match_engine_drawing();

}  // namespace nplab::experiments
