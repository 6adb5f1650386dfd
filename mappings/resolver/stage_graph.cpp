#include "mappings/resolver/stage_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/topological_sort.hpp>

#include "support/near_miss.h"

namespace nplab::mappings {
namespace {

using Vertex = StageGraph::vertex_descriptor;
using Edge = StageGraph::edge_descriptor;

std::vector<std::string> stage_names(const MappingFile& mapping) {
  std::vector<std::string> names;
  for (const StageEntry& stage : mapping.stages)
    names.push_back(stage.name);
  return names;
}

std::optional<Vertex> find_stage(const MappingFile& mapping, const std::string& name) {
  for (Vertex v = 0; v < mapping.stages.size(); ++v) {
    if (mapping.stages[v].name == name)
      return v;
  }
  return std::nullopt;
}

// Keeps the path of the search, so that a back edge gives the cycle that it closes.
class CycleFinder : public boost::default_dfs_visitor {
 public:
  CycleFinder(std::vector<Vertex>& path, std::vector<std::vector<Vertex>>& cycles)
      : path_(path), cycles_(cycles) {}

  void discover_vertex(Vertex v, const StageGraph&) { path_.push_back(v); }
  void finish_vertex(Vertex, const StageGraph&) { path_.pop_back(); }
  void back_edge(Edge edge, const StageGraph& graph) {
    const auto first = std::find(path_.begin(), path_.end(), boost::target(edge, graph));
    cycles_.emplace_back(first, path_.end());
  }

 private:
  std::vector<Vertex>& path_;
  std::vector<std::vector<Vertex>>& cycles_;
};

std::vector<std::vector<Vertex>> find_cycles(const StageGraph& graph) {
  std::vector<Vertex> path;
  std::vector<std::vector<Vertex>> cycles;
  boost::depth_first_search(graph, boost::visitor(CycleFinder(path, cycles)));
  return cycles;
}

bool has_role(const MappingFile& mapping, StageRole role) {
  return std::any_of(mapping.stages.begin(), mapping.stages.end(),
                     [&](const StageEntry& s) { return s.role == role; });
}

void check_ends(const StageGraph& graph, Vertex v, const MappingFile& mapping,
                Diagnostics& diagnostics) {
  const StageEntry& stage = mapping.stages[v];
  if (stage.role == StageRole::kReceive) {
    for (auto [edge, end] = boost::in_edges(v, graph); edge != end; ++edge) {
      const QueueEntry& queue = mapping.queues[graph[*edge].queue];
      diagnostics.error(queue.to.location,
                        fmt::format("stage '{}' receives from the ports; queue '{}' cannot lead to "
                                    "it",
                                    stage.name, queue.name));
    }
  }
  if (stage.role == StageRole::kTransmit) {
    for (auto [edge, end] = boost::out_edges(v, graph); edge != end; ++edge) {
      const QueueEntry& queue = mapping.queues[graph[*edge].queue];
      diagnostics.error(queue.from.location,
                        fmt::format("stage '{}' sends to the ports; queue '{}' cannot lead from "
                                    "it",
                                    stage.name, queue.name));
    }
    return;
  }
  auto [edge, end] = boost::out_edges(v, graph);
  if (edge == end) {
    diagnostics.error(stage.location,
                      fmt::format("packets end in stage '{}': no queue leads from it", stage.name));
    return;
  }
  if (stage.outputs == QueueChoice::kEach)
    return;
  const std::string& first = mapping.queues[graph[*edge].queue].name;
  for (++edge; edge != end; ++edge) {
    const QueueEntry& second = mapping.queues[graph[*edge].queue];
    diagnostics.error(
        second.from.location,
        fmt::format("stage '{}' hands every packet to one queue; both '{}' and '{}' lead from it",
                    stage.name, first, second.name));
  }
}

void check_reachable(const StageGraph& graph, const MappingFile& mapping,
                     Diagnostics& diagnostics) {
  std::vector<boost::default_color_type> colors(boost::num_vertices(graph), boost::white_color);
  const auto color_map =
      boost::make_iterator_property_map(colors.begin(), boost::get(boost::vertex_index, graph));
  boost::queue<Vertex> waiting;
  for (Vertex v = 0; v < mapping.stages.size(); ++v) {
    if (mapping.stages[v].role != StageRole::kReceive || colors[v] != boost::white_color)
      continue;
    boost::breadth_first_visit(graph, v, waiting, boost::default_bfs_visitor(), color_map);
  }
  for (Vertex v = 0; v < mapping.stages.size(); ++v) {
    if (colors[v] != boost::white_color)
      continue;
    diagnostics.error(
        mapping.stages[v].location,
        fmt::format("no packet reaches stage '{}': no queues lead to it from a stage that receives",
                    mapping.stages[v].name));
  }
}

}  // namespace

StageGraph make_stage_graph(const MappingFile& mapping, Diagnostics& diagnostics) {
  StageGraph graph(mapping.stages.size());
  const auto end_of = [&](const QueueEntry& queue, const Located<std::string>& stage,
                          const char* part) {
    const auto vertex = find_stage(mapping, stage.value);
    if (!vertex && !stage.value.empty()) {
      diagnostics.error(
          stage.location,
          fmt::format("queue '{}' has no {}: there is no stage '{}'; {}", queue.name, part,
                      stage.value, suggestion(stage.value, stage_names(mapping))));
    }
    return vertex;
  };
  for (std::size_t i = 0; i < mapping.queues.size(); ++i) {
    const QueueEntry& queue = mapping.queues[i];
    const auto from = end_of(queue, queue.from, "producer");
    const auto to = end_of(queue, queue.to, "consumer");
    if (from && to)
      boost::add_edge(*from, *to, QueueIndex{i}, graph);
  }
  return graph;
}

bool is_whole(const StageGraph& graph, const MappingFile& mapping) {
  return mapping.is_wiring_whole && boost::num_edges(graph) == mapping.queues.size();
}

std::optional<std::vector<std::size_t>> order_of_stages(const StageGraph& graph,
                                                        const MappingFile& mapping,
                                                        Diagnostics& diagnostics) {
  std::vector<std::size_t> order;
  try {
    boost::topological_sort(graph, std::back_inserter(order));
    std::reverse(order.begin(), order.end());
    return order;
  } catch (const boost::not_a_dag&) {
    for (const std::vector<Vertex>& cycle : find_cycles(graph)) {
      std::vector<std::string> names;
      for (const Vertex v : cycle)
        names.push_back(mapping.stages[v].name);
      names.push_back(names.front());
      diagnostics.error(mapping.stages[cycle.front()].location,
                        fmt::format("stages {} form a cycle; packets go forwards only",
                                    fmt::join(names, " -> ")));
    }
    return std::nullopt;
  }
}

bool leads_to_transmit(const StageGraph& graph, std::size_t stage, const MappingFile& mapping) {
  const auto [begin, end] = boost::out_edges(stage, graph);
  return std::any_of(begin, end, [&](const auto& edge) {
    return mapping.stages[boost::target(edge, graph)].role == StageRole::kTransmit;
  });
}

void check_wiring(const StageGraph& graph, const MappingFile& mapping, Diagnostics& diagnostics) {
  if (!has_role(mapping, StageRole::kReceive)) {
    diagnostics.error(mapping.stages_location, "no stage receives: one needs `role: receive`");
  }
  if (!has_role(mapping, StageRole::kTransmit)) {
    diagnostics.error(mapping.stages_location, "no stage transmits: one needs `role: transmit`");
  }
  for (Vertex v = 0; v < mapping.stages.size(); ++v)
    check_ends(graph, v, mapping, diagnostics);
  if (has_role(mapping, StageRole::kReceive))
    check_reachable(graph, mapping, diagnostics);
}

}  // namespace nplab::mappings
