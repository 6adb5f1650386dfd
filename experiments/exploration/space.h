// The space of mappings of an algorithm on a chip: its points, what they choose on each axis, their
// neighbours, and the mapping that each stands for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/exploration/space_file.h"
#include "experiments/exploration/structures.h"
#include "experiments/exploration/task_graph.h"
#include "mappings/files/manifest.h"
#include "mappings/files/mapping_file.h"
#include "mappings/resolver/link.h"
#include "support/diagnostics.h"
#include "workloads/base/random.h"

namespace nplab::experiments {

// A point: the index of its choice on each axis. Points are compared in the order of the space.
using Point = std::vector<std::uint32_t>;

// What a space is of.
struct SpaceInputs {
  mappings::Manifest manifest;
  mappings::ChipFacts chip;
  std::string chip_name;      // as mapping files name it
  std::string workload_name;  // likewise
  unsigned dimensions = 0;    // of the rules
  unsigned ports = 0;         // that packets arrive on, from port 0 up
  SpaceDescription description;
};

class Space {
 public:
  // Nothing, and diagnostics, when there is no point or the task graph has too many cuts.
  static std::optional<Space> make(SpaceInputs inputs, Diagnostics& diagnostics);

  [[nodiscard]] const SpaceInputs& inputs() const { return inputs_; }
  [[nodiscard]] const std::vector<Structure>& structures() const { return structures_; }

  // How many points there are, without visiting them.
  [[nodiscard]] std::uint64_t points() const { return ends_.back(); }
  // Calls `visit` with each point until it returns false.
  void for_each(const std::function<bool(const Point&)>& visit) const;
  // The point of a structure that chooses the first value on every other axis.
  [[nodiscard]] Point start(std::size_t structure) const;
  // Uniform over the points.
  [[nodiscard]] Point random(workloads::Random& random) const;
  // The points that differ in one axis; of structures, those with the same cut, the same engines
  // for the tasks, or as many threads for them.
  [[nodiscard]] std::vector<Point> neighbours(const Point& point) const;
  // Whether no other point stands for the same mapping and comes first.
  [[nodiscard]] bool is_canonical(const Point& point) const;

  [[nodiscard]] const Structure& structure(const Point& point) const {
    return structures_[point.front()];
  }
  [[nodiscard]] const Cut& cut(const Point& point) const { return cuts_[structure(point).cut]; }
  // The point with the other's tables, parameters and level whose tasks have the most stages, with
  // engines of their own where there are enough; the first that is legal.
  [[nodiscard]] Point finest(const Point& point) const;
  // The mapping, as its file is read.
  [[nodiscard]] mappings::MappingFile mapping(const Point& point) const;
  // The choices of tables, parameters and the compiler's level.
  [[nodiscard]] static std::vector<std::uint32_t> tail_of(const Point& point) {
    return {point.begin() + kFirstTable, point.end()};
  }
  // Whether the resolver links the mapping, takes its tasks and finds room for its queues.
  [[nodiscard]] bool is_legal(const Point& point) const;

  // The choices in words, axis by axis: `cut: lookup | intersect act`.
  [[nodiscard]] std::vector<std::string> choices(const Point& point) const;
  // Threads per task in the stage that has fewest: a crude measure of the rate, all tasks taken to
  // be alike.
  [[nodiscard]] double balance(const Point& point) const;
  // How many stages of tasks there are, and whether they share engines.
  [[nodiscard]] std::string kind(const Point& point) const;
  // What points have in common: one text for each choice that a model may give a factor.
  [[nodiscard]] std::vector<std::string> features(const Point& point) const;
  // Whether such a text is of a choice on an axis after the structure.
  [[nodiscard]] static bool is_of_axis(const std::string& feature);

 private:
  // The axes after the structure: three of queues, then tables, parameters and the compiler's
  // level.
  enum FixedAxis : std::size_t { kStructure, kReceived, kBetween, kClassified, kFirstTable };

  Space(SpaceInputs inputs, TaskGraph graph, std::vector<Cut> cuts,
        std::vector<Structure> structures);

  [[nodiscard]] std::size_t axes() const { return sizes_.size(); }
  [[nodiscard]] QueueShape shape(const Point& point, std::size_t axis) const;
  [[nodiscard]] std::vector<std::uint32_t> queue_choices(std::size_t axis,
                                                         const Structure& structure) const;
  [[nodiscard]] std::uint64_t points_of(const Structure& structure) const;

  SpaceInputs inputs_;
  TaskGraph graph_;
  std::vector<Cut> cuts_;
  std::vector<Structure> structures_;
  std::map<std::size_t, std::vector<QueueShape>> shapes_;  // by axis
  std::vector<std::size_t> sizes_;                         // choices by axis
  std::vector<std::uint64_t> ends_;  // by structure: the points of it and of those before
};

}  // namespace nplab::experiments
