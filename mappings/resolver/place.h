// Placing: a linked mapping and a rule set become a placement and the memories' initial contents.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mappings/resolver/link.h"
#include "mappings/resolver/placement.h"
#include "mappings/tables/build_progress.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {

struct PlacedMapping {
  Placement placement;
  MemoryImage memory;                           // tables, empty queues, free list of packet buffers
  std::map<std::string, std::uint64_t> facts;   // the table builder's
  double build_seconds = 0;                     // of the host, for building the tables
  std::shared_ptr<const TableUpdater> updater;  // where updates are expected
  std::shared_ptr<const isa::match::UnitTables> match;  // where the match unit is used
};

struct RuleInputs {
  const workloads::RuleSet& rules;
  const ExpectedUpdates* updates = nullptr;  // none: all rules are in force and stay
};

// Plans the tasks for the rules, sizes the tables, gives everything its place and writes the
// tables there. All errors are reported, of rules and mapping alike; when there are any, from
// before too, the result is null.
std::shared_ptr<const PlacedMapping> place(const LinkedMapping& linked, const RuleInputs& inputs,
                                           Diagnostics& diagnostics,
                                           const BuildProgress& progress = {});

// How large the algorithm's tables are; none, and diagnostics, when they cannot be built.
std::vector<TableSize> size_tables(const LinkedMapping& linked, const RuleInputs& inputs,
                                   Diagnostics& diagnostics);

// The placement alone, for tables of these sizes: no table is built or written. For those that
// place many mappings of the same tables and simulate few.
std::optional<Placement> place_sized(const LinkedMapping& linked, const workloads::RuleSet& rules,
                                     const std::vector<TableSize>& table_sizes,
                                     Diagnostics& diagnostics);

}  // namespace nplab::mappings
