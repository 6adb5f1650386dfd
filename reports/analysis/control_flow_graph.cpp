#include "reports/analysis/control_flow_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "reports/analysis/derive.h"
#include "reports/record/run_names.h"
#include "support/dot_graph.h"

namespace nplab::reports {
namespace {

constexpr std::size_t kPlacesNamed = 3;  // source lines of a block

struct Flow {
  bool falls = false;
  bool anywhere = false;
  bool ends = false;
  std::optional<std::size_t> target;
};

Flow flow_of(const std::string& next) {
  Flow flow;
  flow.anywhere = next == "?";
  flow.ends = next == "end";
  if (flow.anywhere || flow.ends)
    return flow;
  flow.falls = next.starts_with('+');
  const std::string number = next.substr(flow.falls ? 1 : 0);
  if (!number.empty() && number.find_first_not_of("0123456789") == std::string::npos &&
      number.size() < 9)
    flow.target = std::stoul(number);
  return flow;
}

std::set<std::size_t> leaders_of(const Program& program) {
  std::set<std::size_t> leaders{0};
  for (std::size_t pc = 0; pc < program.next.size(); ++pc) {
    if (program.next[pc] == "+")
      continue;
    leaders.insert(pc + 1);
    if (const Flow flow = flow_of(program.next[pc]); flow.target)
      leaders.insert(*flow.target);
  }
  leaders.erase(leaders.lower_bound(program.next.size()), leaders.end());
  return leaders;
}

Count sum_over(const std::vector<Count>& column, const BasicBlock& block) {
  Count sum = 0;
  for (std::size_t pc = block.first; pc <= block.last; ++pc)
    sum += column[pc];
  return sum;
}

std::string places_of(const Program& program, const BasicBlock& block) {
  std::vector<std::string> places;
  for (std::size_t pc = block.first; pc <= block.last; ++pc) {
    if (program.file[pc] >= program.files.size())
      continue;
    const std::string& file = program.files[program.file[pc]];
    const std::string place =
        fmt::format("{}:{}", file.substr(file.rfind('/') + 1), program.line[pc]);
    if (std::find(places.begin(), places.end(), place) == places.end())
      places.push_back(place);
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), kPlacesNamed); ++i)
    text += "\n" + places[i];
  if (places.size() > kPlacesNamed)
    text += fmt::format("\n... {} more lines", places.size() - kPlacesNamed);
  return text;
}

std::string name_of(std::size_t block) {
  return fmt::format("b{}", block);
}

void add_block(const RunRecord& record, const Program& program, const BasicBlock& block,
               std::size_t number, DotGraph& graph) {
  const Count executing = sum_over(program.executing, block);
  const Count aborted = sum_over(program.aborted, block);
  const Count stalled = sum_over(program.stalled, block);
  const Count cycles = executing + aborted + stalled;
  const double share = percentage(cycles, record.cycles.core);
  std::string label = block.first == block.last
                          ? fmt::format("word {}", block.first)
                          : fmt::format("words {}-{}", block.first, block.last);
  label += places_of(program, block);
  label += fmt::format("\nentered {}\n{} cycles, {:.1f} %", program.executing[block.first], cycles,
                       share);
  if (aborted > 0)
    label += fmt::format("\naborted {}", aborted);
  if (stalled > 0)
    label += fmt::format("\nstalled {}", stalled);
  if (const Count waiting = sum_over(program.waiting, block); waiting > 0)
    label += fmt::format("\nwaiting {}", waiting);
  // From white to red; a tenth of the engine's time is as red as it gets.
  const double heat = std::min(1.0, share / 10);
  const std::string colour = cycles == 0 ? "0 0 0.9" : fmt::format("0.03 {:.3f} 1", 0.7 * heat);
  graph.add_node(name_of(number), {{"label", label}, {"fillcolor", colour}});
}

}  // namespace

std::vector<BasicBlock> basic_blocks(const Program& program) {
  std::vector<BasicBlock> blocks;
  std::map<std::size_t, std::size_t> number_at;  // by first word
  for (const std::size_t leader : leaders_of(program)) {
    if (program.next.empty())
      break;
    if (!blocks.empty())
      blocks.back().last = leader - 1;
    number_at[leader] = blocks.size();
    blocks.push_back({leader, program.next.size() - 1, {}, false, false});
  }
  for (BasicBlock& block : blocks) {
    const Flow flow = flow_of(program.next[block.last]);
    block.goes_anywhere = flow.anywhere;
    block.ends = flow.ends;
    if (flow.falls && number_at.contains(block.last + 1))
      block.next.push_back(number_at[block.last + 1]);
    if (flow.target && number_at.contains(*flow.target))
      block.next.push_back(number_at[*flow.target]);
  }
  return blocks;
}

std::string control_flow_dot(const RunRecord& record, const Program& program) {
  const std::vector<BasicBlock> blocks = basic_blocks(program);
  DotGraph graph(fmt::format("{} engine {}", mapping_name(record), program.engine));
  graph.set("bgcolor", "transparent");
  graph.set_nodes(
      {{"shape", "box"}, {"style", "filled"}, {"fontname", "Helvetica"}, {"fontsize", "10"}});
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    add_block(record, program, blocks[i], i, graph);
    for (const std::size_t next : blocks[i].next)
      graph.add_edge(name_of(i), name_of(next));
    if (blocks[i].goes_anywhere)
      graph.add_edge(name_of(i), "anywhere", {{"style", "dashed"}});
    if (blocks[i].ends)
      graph.add_edge(name_of(i), "end");
  }
  return graph.text();
}

}  // namespace nplab::reports
