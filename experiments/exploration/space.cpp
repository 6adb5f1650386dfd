#include "experiments/exploration/space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <tuple>

#include "experiments/exploration/point_mapping.h"
#include "experiments/exploration/queue_context.h"
#include "mappings/resolver/linked_mapping.h"
#include "mappings/resolver/memory_layout.h"
#include "mappings/resolver/placed_parts.h"
#include "mappings/resolver/task_plan.h"

namespace nplab::experiments {
namespace {

constexpr const char* kAxisFeature = "axis ";

std::string structure_text(const Structure& structure) {
  const std::string stages =
      structure.sharing == EngineSharing::kPool
          ? fmt::format("a pool of {} x {} threads for all stages", structure.engines.front(),
                        fmt::join(structure.threads, "+"))
          : fmt::format("engines {} x {} threads", fmt::join(structure.engines, "+"),
                        structure.threads.front());
  const std::string ports =
      structure.port_engines == PortEngines::kTogether
          ? fmt::format("one engine, {} threads receive and {} transmit", structure.receive_threads,
                        structure.transmit_threads)
          : fmt::format("receive {} x {}, transmit 1 x {}", structure.receive_engines,
                        structure.receive_threads, structure.transmit_threads);
  return stages + "; " + ports;
}

// Of the same tasks and ports with other engines or threads, of the same stages with other ports,
// or of as many threads for the tasks with another cut.
bool are_near(const Structure& a, const Structure& b) {
  const bool same_ports = a.receive_engines == b.receive_engines &&
                          a.port_engines == b.port_engines &&
                          a.transmit_threads == b.transmit_threads;
  const bool same_tasks = a.cut == b.cut && a.sharing == b.sharing;
  const bool same_engines = a.engines == b.engines && a.threads == b.threads;
  const bool same_size = a.all_engines() == b.all_engines() && a.task_threads() == b.task_threads();
  return same_ports ? same_tasks || same_engines || same_size : same_tasks && same_engines;
}

}  // namespace

Space::Space(SpaceInputs inputs, TaskGraph graph, std::vector<Cut> cuts,
             std::vector<Structure> structures)
    : inputs_(std::move(inputs)),
      graph_(std::move(graph)),
      cuts_(std::move(cuts)),
      structures_(std::move(structures)) {
  const SpaceDescription& description = inputs_.description;
  shapes_[kReceived] = description.received.shapes();
  shapes_[kBetween] = description.between.shapes();
  shapes_[kClassified] = description.classified.shapes();
  sizes_ = {structures_.size(), shapes_[kReceived].size(), shapes_[kBetween].size(),
            shapes_[kClassified].size()};
  for (const auto& [table, memories] : description.tables)
    sizes_.push_back(memories.size());
  for (const auto& [parameter, values] : description.parameters)
    sizes_.push_back(values.size());
  sizes_.push_back(description.optimize.size());
  std::uint64_t points = 0;
  for (const Structure& structure : structures_)
    ends_.push_back(points += points_of(structure));
}

std::optional<Space> Space::make(SpaceInputs inputs, Diagnostics& diagnostics) {
  auto graph = make_task_graph(inputs.manifest, inputs.dimensions, diagnostics);
  if (!graph)
    return std::nullopt;
  const SourceLocation at{inputs.description.name, 0, 0};
  auto cuts = cuts_of(*graph, inputs.description.cuts);
  auto structures = structures_of(inputs.description, cuts, inputs.chip, inputs.ports);
  if (cuts.size() > kMostCuts || structures.size() > kMostStructures) {
    diagnostics.error(at, fmt::format("the space has more than {} cuts or {} structures; give "
                                      "`stages.most`, `task_order: manifest` or fewer engines",
                                      kMostCuts, kMostStructures));
    return std::nullopt;
  }
  if (structures.empty()) {
    diagnostics.error(
        at, fmt::format("the space has no point: {} engines of {} threads and {} ports leave no "
                        "engine for a stage of tasks, or no cut has so many stages",
                        inputs.chip.engines, inputs.chip.contexts, inputs.ports));
    return std::nullopt;
  }
  return Space(std::move(inputs), std::move(*graph), std::move(cuts), std::move(structures));
}

std::vector<std::uint32_t> Space::queue_choices(std::size_t axis,
                                                const Structure& structure) const {
  const PipelineQueues queues = queues_of(cuts_[structure.cut], structure);
  const auto& shapes = shapes_.at(axis);
  if (axis == kBetween)
    return distinct_shapes(shapes, queues.between);
  return distinct_shapes(shapes, {axis == kReceived ? queues.received : queues.classified});
}

std::uint64_t Space::points_of(const Structure& structure) const {
  std::uint64_t points = 1;
  for (const std::size_t axis : {kReceived, kBetween, kClassified})
    points *= queue_choices(axis, structure).size();
  for (std::size_t axis = kFirstTable; axis < axes(); ++axis)
    points *= sizes_[axis];
  return points;
}

void Space::for_each(const std::function<bool(const Point&)>& visit) const {
  for (std::uint32_t index = 0; index < structures_.size(); ++index) {
    std::vector<std::vector<std::uint32_t>> choices{{index}};
    for (const std::size_t axis : {kReceived, kBetween, kClassified})
      choices.push_back(queue_choices(axis, structures_[index]));
    for (std::size_t axis = kFirstTable; axis < axes(); ++axis) {
      choices.emplace_back();
      for (std::uint32_t choice = 0; choice < sizes_[axis]; ++choice)
        choices.back().push_back(choice);
    }
    std::vector<std::size_t> at(axes(), 0);
    for (bool more = true; more;) {
      Point point;
      for (std::size_t axis = 0; axis < axes(); ++axis)
        point.push_back(choices[axis][at[axis]]);
      if (!visit(point))
        return;
      more = false;
      for (std::size_t axis = axes(); !more && axis-- > 1;) {
        more = ++at[axis] < choices[axis].size();
        if (!more)
          at[axis] = 0;
      }
    }
  }
}

Point Space::start(std::size_t structure) const {
  Point point(axes(), 0);
  point.front() = static_cast<std::uint32_t>(structure);
  return point;
}

Point Space::random(workloads::Random& random) const {
  const auto end = std::upper_bound(ends_.begin(), ends_.end(), random.below(points()));
  const auto structure = static_cast<std::size_t>(end - ends_.begin());
  Point point = start(structure);
  for (std::size_t axis = 1; axis < axes(); ++axis) {
    if (axis < kFirstTable) {
      const auto choices = queue_choices(axis, structures_[structure]);
      point[axis] = choices[random.below(choices.size())];
    } else {
      point[axis] = static_cast<std::uint32_t>(random.below(sizes_[axis]));
    }
  }
  return point;
}

Point Space::finest(const Point& point) const {
  const auto rank = [this](const Structure& structure) {
    const Cut& cut = cuts_[structure.cut];
    return std::tuple(stages_of(cut) == cut.size(),  // without a fork
                      stages_of(cut), structure.sharing == EngineSharing::kOwn);
  };
  std::vector<std::size_t> order(structures_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return rank(structures_[a]) > rank(structures_[b]);
  });
  for (const std::size_t structure : order) {
    Point finest = start(structure);
    std::copy(point.begin() + kFirstTable, point.end(), finest.begin() + kFirstTable);
    if (is_legal(finest))
      return finest;
  }
  return point;
}

bool Space::is_canonical(const Point& point) const {
  for (const std::size_t axis : {kReceived, kBetween, kClassified}) {
    const auto choices = queue_choices(axis, structure(point));
    if (std::find(choices.begin(), choices.end(), point[axis]) == choices.end())
      return false;
  }
  return true;
}

std::vector<Point> Space::neighbours(const Point& point) const {
  std::vector<Point> found;
  for (std::size_t axis = 1; axis < axes(); ++axis) {
    for (std::uint32_t choice = 0; choice < sizes_[axis]; ++choice) {
      Point other = point;
      other[axis] = choice;
      if (choice != point[axis] && is_canonical(other))
        found.push_back(std::move(other));
    }
  }
  const Structure& here = structure(point);
  for (std::uint32_t index = 0; index < structures_.size(); ++index) {
    const Structure& there = structures_[index];
    if (index == point.front() || !are_near(here, there))
      continue;
    Point other = point;
    other.front() = index;
    if (is_canonical(other))
      found.push_back(std::move(other));
  }
  return found;
}

QueueShape Space::shape(const Point& point, std::size_t axis) const {
  return shapes_.at(axis)[point[axis]];
}

mappings::MappingFile Space::mapping(const Point& point) const {
  MappingChoices choices{.structure = structure(point),
                         .cut = cut(point),
                         .received = shape(point, kReceived),
                         .between = shape(point, kBetween),
                         .classified = shape(point, kClassified),
                         .tables = {},
                         .parameters = {},
                         .optimize = inputs_.description.optimize[point.back()]};
  std::size_t axis = kFirstTable;
  for (const auto& [table, memories] : inputs_.description.tables)
    choices.tables[table] = memories[point[axis++]];
  for (const auto& [parameter, values] : inputs_.description.parameters)
    choices.parameters[parameter] = values[point[axis++]];
  mappings::MappingFile mapping = mapping_of(graph_, choices);
  mapping.algorithm.value = inputs_.manifest.algorithm;
  mapping.chip.value = inputs_.chip_name;
  mapping.workload.value = inputs_.workload_name;
  mapping.buffers.value = inputs_.description.buffers;
  mapping.name = inputs_.manifest.algorithm + "-explored";
  return mapping;
}

bool Space::is_legal(const Point& point) const {
  Diagnostics diagnostics;
  const auto linked = mappings::link(mapping(point), inputs_.manifest, inputs_.chip, diagnostics);
  const auto plan = mappings::plan_tasks(*linked, inputs_.dimensions, diagnostics);
  if (diagnostics.has_errors())
    return false;
  mappings::lay_out_memory(*linked, mappings::make_queues(*linked, plan), {}, diagnostics);
  return !diagnostics.has_errors();
}

std::vector<std::string> Space::choices(const Point& point) const {
  const PipelineQueues queues = queues_of(cut(point), structure(point));
  const auto shape_text = [&](std::size_t axis, const QueueContext& context) {
    return to_string(effective_shape(shape(point, axis), context));
  };
  std::vector<std::string> texts{"stages: " + to_string(graph_, cut(point)),
                                 structure_text(structure(point)),
                                 "received: " + shape_text(kReceived, queues.received)};
  if (!queues.between.empty())
    texts.push_back("between: " + shape_text(kBetween, queues.between.front()));
  texts.push_back("classified: " + shape_text(kClassified, queues.classified));
  std::size_t axis = kFirstTable;
  for (const auto& [table, memories] : inputs_.description.tables) {
    const auto memory = memories[point[axis++]];
    if (memories.size() > 1)
      texts.push_back(fmt::format("{} in {}", table, mappings::memory_name(memory)));
  }
  for (const auto& [parameter, values] : inputs_.description.parameters) {
    const auto value = values[point[axis++]];
    if (values.size() > 1)
      texts.push_back(fmt::format("{} = {}", parameter, value));
  }
  if (inputs_.description.optimize.size() > 1) {
    const auto level = static_cast<std::size_t>(inputs_.description.optimize[point.back()]);
    texts.push_back("optimize: " + mappings::optimize_words().at(level));
  }
  return texts;
}

double Space::balance(const Point& point) const {
  double least = std::numeric_limits<double>::max();
  std::size_t stage = 0;
  for (const Step& step : cut(point)) {
    for (const TaskSet tasks : step) {
      const int units = std::max(1, std::popcount(tasks));
      least = std::min(least, structure(point).threads_of(stage++) / static_cast<double>(units));
    }
  }
  return least;
}

std::string Space::kind(const Point& point) const {
  return fmt::format("{} stages {}", stages_of(cut(point)),
                     structure(point).sharing == EngineSharing::kPool ? "pool" : "own");
}

std::vector<std::string> Space::features(const Point& point) const {
  const Structure& of = structure(point);
  std::vector<std::string> texts{
      fmt::format("cut {}", of.cut),
      fmt::format("cut {} {} {}", of.cut, of.sharing == EngineSharing::kPool ? "pool" : "own",
                  fmt::join(of.engines, "+")),
      kind(point),
      fmt::format("task engines {}", of.all_engines() - of.receive_engines),
      fmt::format("threads {}", of.threads.front()),
      fmt::format("ports {} {} {}", of.receive_engines, of.transmit_threads,
                  of.port_engines == PortEngines::kTogether ? "one engine" : "")};
  for (std::size_t axis = 1; axis < axes(); ++axis) {
    if (sizes_[axis] > 1)
      texts.push_back(fmt::format("{}{}: {}", kAxisFeature, axis, point[axis]));
  }
  return texts;
}

bool Space::is_of_axis(const std::string& feature) {
  return feature.starts_with(kAxisFeature);
}

}  // namespace nplab::experiments
