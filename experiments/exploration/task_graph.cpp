#include "experiments/exploration/task_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/graph_utility.hpp>
#include <boost/range/iterator_range.hpp>
#include <set>

#include "mappings/files/mapping_writer.h"

namespace nplab::experiments {
namespace {

using mappings::FieldReference;

constexpr TaskSet bit(std::size_t unit) {
  return TaskSet{1} << unit;
}

// Metadata by name and dimension; none: a scalar.
using Element = std::pair<std::string, std::optional<unsigned>>;

std::set<Element> elements_of(const std::vector<FieldReference>& references, const TaskUnit& unit,
                              unsigned dimensions) {
  std::set<Element> elements;
  for (const FieldReference& reference : references) {
    if (reference.kind != FieldReference::Kind::kMetadata)
      continue;
    switch (reference.selector) {
      case FieldReference::Selector::kScalar: elements.emplace(reference.name, std::nullopt); break;
      case FieldReference::Selector::kOwnDimension:
        elements.emplace(reference.name, unit.dimension);
        break;
      case FieldReference::Selector::kAllDimensions:
        for (unsigned d = 0; d < dimensions; ++d)
          elements.emplace(reference.name, d);
    }
  }
  return elements;
}

bool intersect(const std::set<Element>& a, const std::set<Element>& b) {
  return std::any_of(a.begin(), a.end(), [&](const Element& one) { return b.contains(one); });
}

// What a unit reads and writes.
struct Access {
  std::set<Element> reads;
  std::set<Element> writes;
  [[nodiscard]] bool conflicts(const Access& other) const {
    return intersect(writes, other.reads) || intersect(reads, other.writes) ||
           intersect(writes, other.writes);
  }
};

// The parts of `tasks` that do not depend on one another, in the order of their first units.
std::vector<TaskSet> components(const TaskGraph& graph, TaskSet tasks) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> within(graph.units.size());
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph.edges))) {
    const auto from = boost::source(edge, graph.edges), to = boost::target(edge, graph.edges);
    if ((tasks & bit(from)) != 0 && (tasks & bit(to)) != 0)
      boost::add_edge(from, to, within);
  }
  std::vector<std::size_t> component(graph.units.size());
  const auto count = boost::connected_components(within, component.data());
  std::vector<TaskSet> sets(static_cast<std::size_t>(count), 0);
  for (std::size_t unit = 0; unit < component.size(); ++unit) {
    if ((tasks & bit(unit)) != 0)
      sets[component[unit]] |= bit(unit);
  }
  std::erase(sets, TaskSet{0});
  std::sort(sets.begin(), sets.end(),
            [](TaskSet a, TaskSet b) { return (a & (~a + 1)) < (b & (~b + 1)); });
  return sets;
}

// Grows a pipeline step by step from the first task to the last.
class CutFinder {
 public:
  CutFinder(const TaskGraph& graph, const CutLimits& limits) : graph_(graph), limits_(limits) {
    for (std::size_t unit = 0; unit < graph.units.size(); ++unit)
      before_.push_back(graph.before(unit));
  }

  std::vector<Cut> find() {
    extend(0, {});
    std::stable_sort(cuts_.begin(), cuts_.end(),
                     [](const Cut& a, const Cut& b) { return stages_of(a) < stages_of(b); });
    return std::move(cuts_);
  }

 private:
  void extend(TaskSet done, const Cut& cut) {
    if (cuts_.size() > kMostCuts)
      return;
    if (done == graph_.all()) {
      if (cut.back().size() == 1 && stages_of(cut) >= limits_.least_stages)
        cuts_.push_back(cut);
      return;
    }
    if (stages_of(cut) >= limits_.most_stages)
      return;
    for (const TaskSet next : next_sets(done)) {
      add(done, cut, next, {next});
      if (limits_.forks && (cut.empty() || cut.back().size() == 1))
        fork(done, cut, next);
    }
  }

  void add(TaskSet done, Cut cut, TaskSet next, const Step& step) {
    if (step.size() > 1 && cut.empty())
      cut.push_back({TaskSet{0}});
    cut.push_back(step);
    if (stages_of(cut) <= limits_.most_stages)
      extend(done | next, cut);
  }

  // Neighbouring components share a branch in every way that leaves two branches or more.
  void fork(TaskSet done, const Cut& cut, TaskSet next) {
    const std::vector<TaskSet> parts = components(graph_, next);
    if (parts.size() < 2 || parts.size() > 16)
      return;
    for (std::uint32_t borders = 1; borders < (1U << (parts.size() - 1)); ++borders) {
      Step step{parts[0]};
      for (std::size_t i = 1; i < parts.size(); ++i) {
        if ((borders >> (i - 1) & 1U) != 0)
          step.push_back(parts[i]);
        else
          step.back() |= parts[i];
      }
      add(done, cut, next, step);
    }
  }

  // The sets that may follow what is done, smallest first.
  [[nodiscard]] std::vector<TaskSet> next_sets(TaskSet done) const {
    std::set<TaskSet> found;
    if (limits_.order == TaskOrder::kManifest) {
      TaskSet next = 0;
      for (std::size_t unit = 0; unit < before_.size(); ++unit) {
        if ((done & bit(unit)) == 0)
          found.insert(next |= bit(unit));
      }
    } else {
      grow(done, 0, found);
    }
    return {found.begin(), found.end()};
  }

  void grow(TaskSet done, TaskSet next, std::set<TaskSet>& found) const {
    for (std::size_t unit = 0; unit < before_.size(); ++unit) {
      const bool is_free =
          ((done | next) & bit(unit)) == 0 && (before_[unit] & ~(done | next)) == 0;
      if (is_free && found.size() <= kMostCuts && found.insert(next | bit(unit)).second)
        grow(done, next | bit(unit), found);
    }
  }

  const TaskGraph& graph_;
  const CutLimits& limits_;
  std::vector<TaskSet> before_;
  std::vector<Cut> cuts_;
};

std::string stage_text(const TaskGraph& graph, TaskSet tasks) {
  std::vector<std::string> names;
  for (const mappings::TaskSelection& selection : selections_of(graph, tasks))
    names.push_back(mappings::to_string(selection));
  return names.empty() ? "fork" : fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

TaskSet TaskGraph::all() const {
  return units.size() == kMostTaskUnits ? ~TaskSet{0} : bit(units.size()) - 1;
}

TaskSet TaskGraph::before(std::size_t unit) const {
  TaskSet set = 0;
  for (const auto& edge : boost::make_iterator_range(boost::in_edges(unit, edges)))
    set |= bit(boost::source(edge, edges));
  return set;
}

std::optional<TaskGraph> make_task_graph(const mappings::Manifest& manifest, unsigned dimensions,
                                         Diagnostics& diagnostics) {
  TaskGraph graph;
  graph.dimensions = dimensions;
  std::vector<Access> accesses;
  for (const mappings::TaskDeclaration& task : manifest.tasks) {
    const bool is_per_dimension = task.per == mappings::TaskDeclaration::Per::kDimension;
    for (unsigned d = 0; d < (is_per_dimension ? dimensions : 1); ++d) {
      TaskUnit unit{task.name, is_per_dimension ? std::optional(d) : std::nullopt};
      accesses.push_back(
          {elements_of(task.reads, unit, dimensions), elements_of(task.writes, unit, dimensions)});
      graph.units.push_back(std::move(unit));
    }
  }
  if (graph.units.size() > kMostTaskUnits) {
    diagnostics.error(
        {manifest.file, 1, 1},
        fmt::format("'{}' has {} tasks for {} dimensions; a search takes at most {}",
                    manifest.algorithm, graph.units.size(), dimensions, kMostTaskUnits));
    return std::nullopt;
  }
  graph.edges = TaskGraph::Graph(graph.units.size());
  for (std::size_t later = 0; later < accesses.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (accesses[earlier].conflicts(accesses[later]))
        boost::add_edge(earlier, later, graph.edges);
    }
  }
  return graph;
}

std::vector<Cut> cuts_of(const TaskGraph& graph, const CutLimits& limits) {
  return CutFinder(graph, limits).find();
}

std::size_t stages_of(const Cut& cut) {
  std::size_t stages = 0;
  for (const Step& step : cut)
    stages += step.size();
  return stages;
}

std::vector<mappings::TaskSelection> selections_of(const TaskGraph& graph, TaskSet tasks) {
  std::vector<mappings::TaskSelection> selections;
  for (std::size_t unit = 0; unit < graph.units.size(); ++unit) {
    if ((tasks & bit(unit)) == 0)
      continue;
    const auto& [task, dimension] = graph.units[unit];
    if (!dimension) {
      selections.push_back({task, std::nullopt, {}});
    } else if (!selections.empty() && selections.back().task == task &&
               selections.back().dimensions->last + 1 == *dimension) {
      selections.back().dimensions->last = *dimension;
      selections.back().dimensions->is_range = true;
    } else {
      selections.push_back({task, mappings::TaskSelection::Dimensions{*dimension, *dimension}, {}});
    }
  }
  // Written so that the mapping also takes rules of more dimensions.
  for (mappings::TaskSelection& selection : selections) {
    auto& dimensions = selection.dimensions;
    if (!dimensions || dimensions->last + 1 != graph.dimensions)
      continue;
    if (dimensions->first == 0)
      dimensions.reset();
    else
      *dimensions = {dimensions->first, mappings::kOpenRange, true};
  }
  return selections;
}

std::string to_string(const TaskGraph& graph, const Cut& cut) {
  std::vector<std::string> steps;
  for (const Step& step : cut) {
    std::vector<std::string> stages;
    for (const TaskSet tasks : step)
      stages.push_back(stage_text(graph, tasks));
    const std::string joined = fmt::format("{}", fmt::join(stages, " / "));
    steps.push_back(step.size() > 1 ? "(" + joined + ")" : joined);
  }
  return fmt::format("{}", fmt::join(steps, " | "));
}

}  // namespace nplab::experiments
