// The graph of an algorithm's tasks and its cuts: the ways to share the tasks out to the stages of
// a pipeline, with forks and joins where tasks do not depend on one another.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mappings/files/manifest.h"
#include "mappings/files/mapping_file.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// A task as a stage runs it: a task per dimension is one for each dimension.
struct TaskUnit {
  std::string task;
  std::optional<unsigned> dimension;
};

// Bit i: the unit i of the graph.
using TaskSet = std::uint64_t;
inline constexpr std::size_t kMostTaskUnits = 64;

// An edge leads from a unit to one that must follow it, because both touch the same metadata. Units
// are numbered in the manifest's order, which is topological.
struct TaskGraph {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;

  std::vector<TaskUnit> units;
  Graph edges;
  unsigned dimensions = 0;

  [[nodiscard]] TaskSet all() const;
  // What must come before unit `unit`.
  [[nodiscard]] TaskSet before(std::size_t unit) const;
};

// The graph for rules of so many dimensions; nothing, and a diagnostic, for more than 64 units.
std::optional<TaskGraph> make_task_graph(const mappings::Manifest& manifest, unsigned dimensions,
                                         Diagnostics& diagnostics);

// A step of a pipeline: one stage, or the branches between a fork and a join, in the order of their
// first units. A first step of one stage without tasks is a fork that runs none.
using Step = std::vector<TaskSet>;
using Cut = std::vector<Step>;

// In which order the units may follow one another in a pipeline.
enum class TaskOrder {
  kManifest,  // as the manifest lists them
  kAny,       // as they depend on one another
};

struct CutLimits {
  unsigned least_stages = 1;
  unsigned most_stages = 1;
  TaskOrder order = TaskOrder::kManifest;
  bool forks = false;
};

inline constexpr std::size_t kMostCuts = 100'000;

// All cuts within the limits, each once, those of fewer stages first. At most kMostCuts + 1: then
// there are more.
std::vector<Cut> cuts_of(const TaskGraph& graph, const CutLimits& limits);

std::size_t stages_of(const Cut& cut);

// The tasks of a stage as a mapping lists them, ranges of dimensions as one selection each.
std::vector<mappings::TaskSelection> selections_of(const TaskGraph& graph, TaskSet tasks);

// `lookup[0..1] | lookup[2..] intersect act`; branches in parentheses.
std::string to_string(const TaskGraph& graph, const Cut& cut);

}  // namespace nplab::experiments
