// Rule sets of the four categories that the publication prints, as tables of a match unit: how many
// rules and tables, how a lookup passes through them, what they match. Print gives no more; the
// shares that are ours are in docs/match-engine.md.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "isa/match/lookup_program.h"

namespace nplab::experiments {

enum class PassThrough : std::uint8_t {
  kLinear,  // from one table to the next
  kTree,    // to one of three
  kDag,     // to one of the next ten
};

struct RuleCategory {
  const char* name;
  std::size_t rules;
  unsigned tables;
  PassThrough graph;
  unsigned prefix_lengths;  // of a table; 1: exact
};
std::span<const RuleCategory> rule_categories();

struct TableGraph {
  isa::match::LookupProgram program;
  std::vector<isa::match::Entry> entries;  // the action is the entry's number
  std::vector<isa::match::Key> flows;      // each met entries on its way when it was drawn
  std::map<std::pair<isa::match::TupleId, isa::match::Key>, std::uint32_t> numbers;  // of entries

  // The entry of a table that matches the key, if there is one: of the first tuple that has one.
  [[nodiscard]] const isa::match::Entry* match(unsigned table, const isa::match::Key& key) const;
};
TableGraph draw_table_graph(const RuleCategory& category, std::uint64_t seed);

// The entries that a packet is counted by, one per table with a match.
std::vector<std::uint32_t> winners_of(const TableGraph& graph, const isa::match::Key& key);

}  // namespace nplab::experiments
