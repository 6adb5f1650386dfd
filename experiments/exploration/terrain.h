// What nplab explore searches: the space of a request, what its mappings are simulated with, and
// how many there are.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/exploration/objectives.h"
#include "experiments/exploration/search.h"
#include "experiments/exploration/space.h"
#include "experiments/prepare/experiment.h"
#include "experiments/prepare/experiment_options.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

struct ExplorationRequest {
  std::string algorithm;
  ExperimentOptions options;          // their seed is that of the traffic
  std::string space;                  // file; empty: the default space
  std::vector<Objective> objectives;  // empty: chosen by what bounds the space
  SearchMethod method = SearchMethod::kHalving;
  std::size_t runs = 0;  // 0: as many as the time allows
  double seconds = 0;    // 0: as long as the runs take
  std::uint64_t seed = 1;
  std::string folder;  // of the journal and the mappings that are found
};

// The space of a request, with what it is simulated with.
struct Terrain {
  Space space;
  ExperimentInputs inputs;
  double port_rate = 0;  // packets per second
};

// All errors at once.
std::optional<Terrain> survey(const ExplorationRequest& request, Diagnostics& diagnostics,
                              const PreparationProgress& progress = {});

struct SpaceCount {
  std::uint64_t points = 0;
  std::uint64_t legal = 0;
  std::uint64_t checked = 0;  // of the points; fewer than all: `legal` is an estimate
};

// A point is legal when the resolver links its mapping, takes its tasks and finds room for its
// queues. Larger spaces than
// kMostChecked are estimated by a sample.
inline constexpr std::uint64_t kMostChecked = 20'000;
SpaceCount count_points(const Space& space, const std::function<void(double)>& progress = {});

// `10min`, `90s`, `1h` as seconds.
std::optional<double> parse_duration(const std::string& text);

}  // namespace nplab::experiments
