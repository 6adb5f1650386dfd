#include "experiments/match_engine/table_graphs.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace nplab::experiments {
namespace {

using isa::match::Entry;
using isa::match::Key;
using isa::match::masked;
using isa::match::TupleId;

constexpr unsigned kBranches = 3;     // of a table in a tree
constexpr unsigned kReach = 10;       // tables after it that one of a DAG leads to
constexpr unsigned kPrefixWords = 4;  // fields of 32 bits; a table looks at one of them
constexpr unsigned kShortestPrefix = 8;

// Print gives ranges of rules: their ends, and what lies between.
constexpr std::array kCategories = {
    RuleCategory{"generic ACL", 10'000, 30, PassThrough::kLinear, 1},
    RuleCategory{"generic ACL", 100'000, 30, PassThrough::kLinear, 1},
    RuleCategory{"generic ACL", 1'000'000, 30, PassThrough::kLinear, 1},
    RuleCategory{"VM hypervisor", 1'000, 28, PassThrough::kTree, 6},
    RuleCategory{"VM hypervisor", 10'000, 28, PassThrough::kTree, 6},
    RuleCategory{"service hypervisor", 10'000, 28, PassThrough::kTree, 1},
    RuleCategory{"network monitor", 40'000, 100, PassThrough::kDag, 6},
};

class GraphDrawing {
 public:
  GraphDrawing(const RuleCategory& category, std::uint64_t seed)
      : category_(category), random_(seed) {}

  TableGraph draw() {
    for (unsigned table = 0; table < category_.tables; ++table)
      draw_tuples(table);
    while (graph_.entries.size() < category_.rules)
      draw_flow();
    return std::move(graph_);
  }

 private:
  std::uint32_t below(std::uint64_t most) { return static_cast<std::uint32_t>(random_() % most); }

  // Longer prefixes go first, and win.
  void draw_tuples(unsigned table) {
    isa::match::Table row;
    std::vector<unsigned> lengths;
    while (category_.prefix_lengths > 1 && lengths.size() < category_.prefix_lengths) {
      const unsigned length = kShortestPrefix + below(33 - kShortestPrefix);
      if (std::find(lengths.begin(), lengths.end(), length) == lengths.end())
        lengths.push_back(length);
    }
    std::sort(lengths.rbegin(), lengths.rend());
    if (lengths.empty())
      lengths.push_back(0);  // exact: all fields
    for (const unsigned length : lengths) {
      Key mask{};
      if (length == 0)
        std::fill_n(mask.begin(), kPrefixWords, ~0u);
      else
        mask[table % kPrefixWords] = ~0u << (32 - length);
      graph_.program.tuples.push_back({mask, std::max(length, 1u)});
      row.tuples.push_back(static_cast<TupleId>(graph_.program.tuples.size()));
    }
    graph_.program.tables.push_back(row);
  }

  // The number of a table after this one, plus 1; 0: none.
  std::uint16_t draw_next(unsigned table) {
    unsigned next = category_.tables;
    switch (category_.graph) {
      // Ends after each number of tables are equally likely.
      case PassThrough::kLinear:
        next = below(category_.tables - table) == 0 ? category_.tables : table + 1;
        break;
      case PassThrough::kTree: next = kBranches * table + 1 + below(kBranches); break;
      case PassThrough::kDag: next = table + 1 + below(kReach); break;
    }
    return static_cast<std::uint16_t>(next < category_.tables ? next + 1 : 0);
  }

  // Where no entry of a table matches the flow, it gets one.
  void draw_flow() {
    Key key{};
    for (unsigned word = 0; word < kPrefixWords; ++word)
      key[word] = below(std::uint64_t{1} << 32);
    graph_.flows.push_back(key);
    for (std::uint16_t table = 1; table != 0;) {
      const Entry* const entry = graph_.match(table - 1u, key);
      table = entry != nullptr ? entry->next_table : add_entry(key, table - 1u);
    }
  }

  std::uint16_t add_entry(const Key& key, unsigned table) {
    const auto& tuples = graph_.program.tables[table].tuples;
    const TupleId tuple = tuples[below(tuples.size())];
    Entry entry;
    entry.key = masked(key, graph_.program.tuple(tuple).mask);
    entry.tuple = tuple;
    entry.priority = graph_.program.tuple(tuple).best_priority;
    entry.action = static_cast<std::uint32_t>(graph_.entries.size());
    entry.next_table = draw_next(table);
    graph_.numbers[{tuple, entry.key}] = entry.action;
    graph_.entries.push_back(entry);
    return entry.next_table;
  }

  const RuleCategory& category_;
  std::mt19937_64 random_;
  TableGraph graph_;
};

}  // namespace

std::span<const RuleCategory> rule_categories() {
  return kCategories;
}

const Entry* TableGraph::match(unsigned table, const Key& key) const {
  for (const TupleId tuple : program.tables[table].tuples)
    if (const auto found = numbers.find({tuple, masked(key, program.tuple(tuple).mask)});
        found != numbers.end())
      return &entries[found->second];
  return nullptr;
}

std::vector<std::uint32_t> winners_of(const TableGraph& graph, const Key& key) {
  std::vector<std::uint32_t> winners;
  for (std::uint16_t table = 1; table != 0;) {
    const Entry* const entry = graph.match(table - 1u, key);
    if (entry != nullptr)
      winners.push_back(entry->action);
    table = entry != nullptr ? entry->next_table : graph.program.tables[table - 1u].on_miss;
  }
  return winners;
}

TableGraph draw_table_graph(const RuleCategory& category, std::uint64_t seed) {
  return GraphDrawing(category, seed).draw();
}

}  // namespace nplab::experiments
