// Placing: a linked mapping and a rule set become a placement and the memories' initial contents.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

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

}  // namespace nplab::mappings
