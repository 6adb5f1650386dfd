#include "reports/analysis/stage_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gvc.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "reports/analysis/bounds.h"
#include "reports/analysis/derive.h"
#include "reports/analysis/stations.h"
#include "reports/record/run_names.h"
#include "support/dot_graph.h"

namespace nplab::reports {
namespace {

// `engines 1-4, 16 threads`.
std::string place_of(const StageRecord& stage) {
  std::vector<Count> engines;
  for (const ThreadName& thread : stage.threads) {
    if (engines.empty() || engines.back() != thread.engine)
      engines.push_back(thread.engine);
  }
  const std::string names = engines.size() > 2
                                ? fmt::format("{} to {}", engines.front(), engines.back())
                                : fmt::format("{}", fmt::join(engines, ", "));
  return fmt::format("engine{} {}, {} thread{}", engines.size() == 1 ? "" : "s", names,
                     stage.threads.size(), stage.threads.size() == 1 ? "" : "s");
}

// Of the cycles of a stage's engines, in percent.
struct StageUse {
  double useful = 0;
  double polling = 0;
  double lost = 0;  // aborted or stalled
};

// The mean of its engines; nothing when the record does not tell (older ones).
std::optional<StageUse> use_of(const RunRecord& record, const StageRecord& stage) {
  std::set<Count> engines;
  for (const ThreadName& thread : stage.threads)
    engines.insert(thread.engine);
  StageUse use;
  const auto each = 1 / static_cast<double>(engines.size());
  for (const Engine& engine : record.engines) {
    if (!engines.contains(engine.id))
      continue;
    if (!engine.useful_pct || !engine.polling_pct)
      return std::nullopt;
    use.useful += *engine.useful_pct * each;
    use.polling += *engine.polling_pct * each;
    use.lost += (engine.aborted_pct + engine.stalled_pct) * each;
  }
  return use;
}

// Executing cycles of the stage's threads, in percent of its engines'.
double executing_share(const RunRecord& record, const StageRecord& stage) {
  const std::set<ThreadName> threads(stage.threads.begin(), stage.threads.end());
  Count executing = 0;
  Count engines = 0;
  for (const Engine& engine : record.engines) {
    bool is_used = false;
    for (const Thread& thread : engine.threads) {
      if (!threads.contains({engine.id, thread.id}))
        continue;
      executing += thread.executing;
      is_used = true;
    }
    engines += is_used ? 1 : 0;
  }
  return percentage(executing, engines * record.cycles.core);
}

double mean_entries(const RunRecord& record, const QueueRecord& queue) {
  for (const QueueSeries& series : record.samples.queues) {
    if (series.name != queue.name || series.entries.empty())
      continue;
    const Count sum = std::accumulate(series.entries.begin(), series.entries.end(), Count{0});
    return static_cast<double>(sum) / static_cast<double>(series.entries.size());
  }
  return 0;
}

std::string node_label(const RunRecord& record, const StageRecord& stage) {
  std::string label = stage.name + "\n" + place_of(stage);
  std::string line;
  for (const std::string& task : stage.tasks) {
    line += (line.empty() ? "" : " ") + task;
    if (line.size() > 28)
      label += "\n" + std::exchange(line, "");
  }
  if (!line.empty())
    label += "\n" + line;
  const auto use = use_of(record, stage);
  if (!use)
    return label + fmt::format("\nexecuting {:.1f} %", executing_share(record, stage));
  return label + fmt::format("\nuseful {:.1f} %, polling {:.1f} %\naborted or stalled {:.1f} %",
                             use->useful, use->polling, use->lost);
}

// The fuller its colour, the more of its engines' cycles a stage needs; the bound has a thick
// frame.
DotGraph::Attributes node_attributes(const RunRecord& record, const StageRecord& stage,
                                     const std::optional<Bounds>& bounds) {
  DotGraph::Attributes attributes{{"label", node_label(record, stage)}};
  if (const auto use = use_of(record, stage)) {
    constexpr double kFullest = 0.6;  // text on it stays readable
    const double needed = std::min(1.0, (use->useful + use->lost) / 100);
    attributes.emplace_back("style", "filled");
    attributes.emplace_back(
        "fillcolor",
        fmt::format("#0072b2{:02x}", static_cast<unsigned>(std::lround(255 * kFullest * needed))));
  }
  if (!bounds || stage.threads.empty())
    return attributes;
  const auto bounding = engines_named(bounds->first.use.resource);
  if (bounding.contains(stage.threads.front().engine))
    attributes.emplace_back("penwidth", "3");
  return attributes;
}

std::string edge_label(const RunRecord& record, const QueueRecord& queue) {
  const double thousands = record.simulated_seconds == 0 ? 0
                                                         : static_cast<double>(queue.dequeued) /
                                                               record.simulated_seconds / 1e3;
  std::string label =
      fmt::format("{} ({})\n{:.1f} thousand/s\n{:.1f} waiting, {:.0f} cycles", queue.name,
                  queue.memory, thousands, mean_entries(record, queue), mean_wait(record, queue));
  if (queue.refused > 0)
    label += fmt::format("\n{} dropped", queue.refused);
  return label;
}

}  // namespace

double mean_wait(const RunRecord& record, const QueueRecord& queue) {
  if (queue.dequeued == 0)
    return 0;
  return mean_entries(record, queue) * static_cast<double>(record.cycles.core) /
         static_cast<double>(queue.dequeued);
}

std::string stage_graph_dot(const RunRecord& record) {
  if (record.stages.empty())
    return "";
  DotGraph graph(mapping_name(record));
  graph.set("rankdir", "LR");
  graph.set("bgcolor", "transparent");
  graph.set_nodes({{"shape", "box"}, {"fontname", "Helvetica"}, {"fontsize", "11"}});
  graph.set_edges({{"fontname", "Helvetica"}, {"fontsize", "10"}});
  const auto bounds = bounds_of(record);
  for (const StageRecord& stage : record.stages)
    graph.add_node(stage.name, node_attributes(record, stage, bounds));
  for (const QueueRecord& queue : record.queues) {
    if (!queue.from.empty())
      graph.add_edge(queue.from, queue.to, {{"label", edge_label(record, queue)}});
  }
  return graph.text();
}

std::string drawn_svg(const std::string& dot) {
  agseterr(AGMAX);  // it would print what is wrong with a graph
  const std::unique_ptr<GVC_t, int (*)(GVC_t*)> context(gvContext(), gvFreeContext);
  const std::unique_ptr<Agraph_t, int (*)(Agraph_t*)> graph(agmemread(dot.c_str()), agclose);
  if (!context || !graph || gvLayout(context.get(), graph.get(), "dot") != 0)
    return "";
  char* drawing = nullptr;
  unsigned length = 0;
  std::string svg;
  if (gvRenderData(context.get(), graph.get(), "svg", &drawing, &length) == 0 && drawing != nullptr)
    svg.assign(drawing, length);
  gvFreeRenderData(drawing);
  gvFreeLayout(context.get(), graph.get());
  const auto element = svg.find("<svg");
  return element == std::string::npos ? "" : svg.substr(element);
}

}  // namespace nplab::reports
