#include "mappings/resolver/fork_join.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <optional>
#include <set>

namespace nplab::mappings {
namespace {

class ForkFinder {
 public:
  ForkFinder(const StageGraph& graph, const MappingFile& mapping,
             const std::vector<std::vector<ThreadPlace>>& threads, Diagnostics& diagnostics)
      : graph_(graph), mapping_(mapping), threads_(threads), diagnostics_(diagnostics) {}

  std::vector<Fork> find() {
    std::set<std::size_t> joins;
    for (std::size_t stage = 0; stage < mapping_.stages.size(); ++stage) {
      if (mapping_.stages[stage].outputs != QueueChoice::kEach)
        continue;
      if (auto fork = fork_at(stage)) {
        joins.insert(fork->join);
        forks_.push_back(std::move(*fork));
      }
    }
    for (std::size_t stage = 0; stage < mapping_.stages.size(); ++stage) {
      const StageEntry& entry = mapping_.stages[stage];
      if (entry.inputs != QueueChoice::kEach || joins.contains(stage) || is_broken_)
        continue;
      error(entry.location,
            fmt::format(
                "stage '{}' joins what no stage has forked: one needs `outputs: each`, and all "
                "its queues must lead here",
                entry.name));
    }
    return std::move(forks_);
  }

 private:
  void error(const SourceLocation& at, std::string message) {
    diagnostics_.error(at, std::move(message));
    is_broken_ = true;
  }

  [[nodiscard]] std::vector<std::size_t> queues_from(std::size_t stage) const {
    std::vector<std::size_t> queues;
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(stage, graph_))) {
      queues.push_back(graph_[edge].queue);
    }
    std::sort(queues.begin(), queues.end());
    return queues;
  }
  [[nodiscard]] std::size_t queues_to(std::size_t stage) const {
    return boost::in_degree(stage, graph_);
  }
  [[nodiscard]] std::size_t end_of(std::size_t queue) const {
    for (const auto& edge : boost::make_iterator_range(boost::edges(graph_))) {
      if (graph_[edge].queue == queue)
        return boost::target(edge, graph_);
    }
    return 0;
  }

  std::optional<Fork> fork_at(std::size_t stage) {
    const StageEntry& entry = mapping_.stages[stage];
    Fork fork;
    fork.stage = stage;
    const auto queues = queues_from(stage);
    if (entry.role != StageRole::kTasks || queues.size() < 2) {
      error(entry.location,
            fmt::format(
                "`outputs: each` is for a stage of tasks from which several queues lead; from "
                "'{}' lead {}",
                entry.name, queues.size()));
      return std::nullopt;
    }
    for (const std::size_t queue : queues) {
      const auto join = follow(queue, entry, fork);
      if (!join)
        return std::nullopt;
      if (fork.branches.size() > 1 && *join != fork.join) {
        error(
            entry.location,
            fmt::format("the queues from stage '{}' lead to '{}' and to '{}': all must meet in one "
                        "stage",
                        entry.name, mapping_.stages[fork.join].name, mapping_.stages[*join].name));
        return std::nullopt;
      }
      fork.join = *join;
    }
    std::sort(fork.branches.begin(), fork.branches.end(),
              [](const auto& a, const auto& b) { return a.queues.back() < b.queues.back(); });
    return check_lanes(fork) ? std::optional(std::move(fork)) : std::nullopt;
  }

  // From a queue of the fork on to the stage that joins, which is given.
  std::optional<std::size_t> follow(std::size_t queue, const StageEntry& from, Fork& fork) {
    Fork::Branch branch;
    for (;;) {
      branch.queues.push_back(queue);
      const std::size_t stage = end_of(queue);
      const StageEntry& entry = mapping_.stages[stage];
      if (entry.inputs == QueueChoice::kEach) {
        fork.branches.push_back(std::move(branch));
        return stage;
      }
      const auto onwards = queues_from(stage);
      if (entry.role != StageRole::kTasks || queues_to(stage) != 1 || onwards.size() != 1) {
        error(entry.location,
              fmt::format("stage '{}' after the fork in '{}' needs `role: tasks` and one queue on "
                          "either side, up to the stage with `inputs: each`",
                          entry.name, from.name));
        return std::nullopt;
      }
      branch.stages.push_back(stage);
      queue = onwards.front();
    }
  }

  bool check_lanes(const Fork& fork) {
    const auto errors_before = diagnostics_.errors().size();
    std::vector<std::size_t> stages = {fork.join};
    std::size_t arriving = 0;
    for (const Fork::Branch& branch : fork.branches) {
      stages.insert(stages.end(), branch.stages.begin(), branch.stages.end());
      for (const std::size_t queue : branch.queues)
        check_queue(mapping_.queues[queue], fork);
      ++arriving;
    }
    if (arriving != queues_to(fork.join)) {
      error(mapping_.stages[fork.join].location,
            fmt::format(
                "stage '{}' joins the branches of '{}' and cannot take packets from elsewhere",
                mapping_.stages[fork.join].name, mapping_.stages[fork.stage].name));
    }
    for (const std::size_t stage : stages) {
      if (threads_[stage].size() == threads_[fork.stage].size())
        continue;
      if (threads_[stage].empty() || threads_[fork.stage].empty())
        continue;  // reported where they are named
      error(mapping_.stages[stage].location,
            fmt::format("stage '{}' has {} threads, but the fork in '{}' has {}: a packet keeps to "
                        "a lane, so all "
                        "between fork and join have as many",
                        mapping_.stages[stage].name, threads_[stage].size(),
                        mapping_.stages[fork.stage].name, threads_[fork.stage].size()));
    }
    return diagnostics_.errors().size() == errors_before;
  }

  void check_queue(const QueueEntry& queue, const Fork& fork) {
    const bool is_shared = queue.per == QueuePer::kShared || queue.route == QueueRoute::kAll;
    if (is_shared && threads_[fork.stage].size() > 1) {
      error(queue.location,
            fmt::format("queue '{}' between fork and join needs a ring for each lane: per: "
                        "producer_thread, route: own",
                        queue.name));
    }
    if (queue.full != WhenFull::kWait) {
      error(queue.location,
            fmt::format("queue '{}' between fork and join drops parts of packets: write full: wait",
                        queue.name));
    }
    if (queue.release.value != QueueRelease::kDequeue || queue.quantum.value != 1) {
      error(queue.location,
            fmt::format("queue '{}' between fork and join gives entries back one by one: write "
                        "release: dequeue and quantum: 1",
                        queue.name));
    }
  }

  const StageGraph& graph_;
  const MappingFile& mapping_;
  const std::vector<std::vector<ThreadPlace>>& threads_;
  Diagnostics& diagnostics_;
  std::vector<Fork> forks_;
  bool is_broken_ = false;
};

std::set<MetadataElement> written_in(const Fork::Branch& branch,
                                     const std::vector<std::vector<TaskCall>>& calls) {
  std::set<MetadataElement> written;
  for (const std::size_t stage : branch.stages) {
    for (const TaskCall& call : calls[stage])
      written.insert(call.writes.begin(), call.writes.end());
  }
  return written;
}

}  // namespace

std::vector<Fork> find_forks(const StageGraph& graph, const MappingFile& mapping,
                             const std::vector<std::vector<ThreadPlace>>& threads,
                             Diagnostics& diagnostics) {
  return ForkFinder(graph, mapping, threads, diagnostics).find();
}

void check_fork_tasks(const std::vector<Fork>& forks, const MappingFile& mapping,
                      const std::vector<std::vector<TaskCall>>& calls, Diagnostics& diagnostics) {
  for (const Fork& fork : forks) {
    std::set<MetadataElement> seen;
    for (const Fork::Branch& branch : fork.branches) {
      for (const MetadataElement& element : written_in(branch, calls)) {
        if (seen.insert(element).second)
          continue;
        diagnostics.error(
            mapping.stages[fork.join].location,
            fmt::format(
                "{} is written in two branches that meet in stage '{}': place the tasks that "
                "write it in one",
                to_string(element), mapping.stages[fork.join].name));
      }
    }
  }
}

std::vector<MetadataElement> carried_by_branch(const Fork& fork, std::size_t queue,
                                               const std::vector<std::vector<TaskCall>>& calls,
                                               const std::vector<MetadataElement>& needed) {
  std::set<MetadataElement> in_any, here;
  for (const Fork::Branch& branch : fork.branches) {
    const auto written = written_in(branch, calls);
    in_any.insert(written.begin(), written.end());
    if (branch.queues.back() == queue)
      here = written;
  }
  const bool is_first = fork.branches.front().queues.back() == queue;
  std::vector<MetadataElement> carried;
  for (const MetadataElement& element : needed) {
    if (here.contains(element) || (is_first && !in_any.contains(element)))
      carried.push_back(element);
  }
  return carried;
}

}  // namespace nplab::mappings
