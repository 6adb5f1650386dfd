#include "reports/analysis/stage_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gvc.h>

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "reports/analysis/bounds.h"
#include "reports/analysis/derive.h"
#include "reports/analysis/stage_use.h"
#include "reports/analysis/stations.h"
#include "reports/record/run_names.h"
#include "support/dot_graph.h"

namespace nplab::reports {
namespace {

constexpr double kShown = 0.05;  // percent: less is printed as 0.0

// As the page's charts have them (html/presentation.js); idle is the ground.
constexpr std::array<const char*, kUses.size()> kUseColors{
    "#0072b2", "#b9c0c8", "#7d8792", "#4b535c", "#e69f00", "#d55e00", nullptr};

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
  std::size_t told = 0;
  for (std::size_t i = 0; i < kUses.size(); ++i) {
    if ((*use)[i] < kShown)
      continue;
    label += fmt::format("{}{} {:.1f} %", told % 2 == 0 ? "\n" : ", ", kUses[i].label, (*use)[i]);
    ++told;
  }
  return label;
}

// A stripe for each use, as wide as its share. What is left of the box is idle.
std::string stripes(const UseShares& use) {
  constexpr int kOpacity = 0x66;  // text on it stays readable
  std::string list;
  double rest = 1;
  for (std::size_t i = 0; i < kUses.size(); ++i) {
    const double share = std::min(rest, use[i] / 100);
    if (share < kShown / 100 || kUseColors[i] == nullptr)
      continue;
    list +=
        fmt::format("{}{}{:02x};{:.4f}", list.empty() ? "" : ":", kUseColors[i], kOpacity, share);
    rest -= share;
  }
  if (rest >= kShown / 100)
    list += (list.empty() ? "" : ":") + std::string("transparent");
  return list;
}

// The bound has a thick frame.
DotGraph::Attributes node_attributes(const RunRecord& record, const StageRecord& stage,
                                     const std::optional<Bounds>& bounds) {
  DotGraph::Attributes attributes{{"label", node_label(record, stage)}};
  if (const auto use = use_of(record, stage)) {
    attributes.emplace_back("style", "striped");
    attributes.emplace_back("fillcolor", stripes(*use));
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

// Graphviz draws a thin line around each stripe, which would cross the text.
std::string without_stripe_outlines(std::string svg) {
  static const std::string kOutline = "stroke=\"black\" stroke-width=\"0.5\"";
  for (auto at = svg.find(kOutline); at != std::string::npos; at = svg.find(kOutline, at))
    svg.replace(at, kOutline.size(), "stroke=\"none\"");
  return svg;
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
  return element == std::string::npos ? "" : without_stripe_outlines(svg.substr(element));
}

}  // namespace nplab::reports
