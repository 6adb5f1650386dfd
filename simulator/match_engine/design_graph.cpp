#include "simulator/match_engine/design_graph.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "simulator/match_engine/wires.h"
#include "support/dot_graph.h"

namespace nplab::simulator::match {

std::string design_graph(const MatchDescription& description) {
  DotGraph graph("match_engine");
  graph.set("rankdir", "LR");
  graph.set_nodes({{"shape", "box"}, {"fontname", "sans-serif"}});
  graph.set_edges({{"fontname", "sans-serif"}, {"fontsize", "10"}});
  const auto box = [&graph](const char* name, const std::string& size) {
    graph.add_node(name, {{"label", fmt::format("{}\n{}", name, size)}});
  };
  box("input handler", fmt::format("{} sessions", description.sessions));
  box("hash", "CRC-32");
  box("cache", fmt::format("{} lines, {} ways", description.cache.lines, description.cache.ways));
  box("load queue", fmt::format("{} places", description.load_queue));
  box("store queue", fmt::format("{} places", description.store_queue));
  box("action pipeline", fmt::format("{} stages", kActionStages));
  box("memory", fmt::format("DDR4, {} channels", description.dram.organization.channels));
  Wires wires(description);
  std::set<std::string> drawn;  // channels have a port each
  wires.for_each([&](const char* from, const char* to, const char* what, const auto& port) {
    const std::string label =
        port.latency() == 1 ? what : fmt::format("{}\n{} cycles", what, port.latency());
    if (drawn.insert(fmt::format("{}>{}>{}", from, to, what)).second)
      graph.add_edge(from, to, {{"label", label}});
  });
  return graph.text();
}

}  // namespace nplab::simulator::match
