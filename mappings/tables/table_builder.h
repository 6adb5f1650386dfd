// Table builders: from a rule set to the contents of the memories that an algorithm's tasks read.
//
// A builder is run twice. The first run, at provisional bases, says how large each table is; the
// resolver places them, and the second run writes them where they lie. So a table's size must not
// depend on its base.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mappings/tables/build_progress.h"
#include "mappings/tables/memory_image.h"
#include "mappings/tables/table_updater.h"
#include "support/diagnostics.h"
#include "workloads/rules/rule_set.h"

namespace nplab::mappings {

// The value of every parameter and the place of every table of the manifest.
using ParameterValues = std::map<std::string, std::int64_t>;

struct TablePlace {
  isa::MemorySpace space{};
  std::uint32_t base = 0;  // in bytes, a multiple of 8, not 0
};

// Rules that come and go while the tables are searched.
struct ExpectedUpdates {
  std::vector<bool> at_start;     // by rule: in the tables from the start
  std::size_t most_in_force = 0;  // rules at any time
};

struct BuildInputs {
  const workloads::RuleSet& rules;  // within the manifest's limits
  const ParameterValues& parameters;
  const std::map<std::string, TablePlace>& tables;
  const ExpectedUpdates* updates = nullptr;  // none: all rules are in force and stay
  BuildProgress progress{};                  // told of by builders that take long
  std::map<std::string, SourceLocation> written_at =
      {};  // of each parameter: its value, or the mapping as a whole

  [[nodiscard]] std::int64_t parameter(const std::string& name) const {
    return parameters.at(name);
  }
  [[nodiscard]] TablePlace place(const std::string& table) const { return tables.at(table); }
};

struct TableSize {
  std::string table;
  std::uint64_t bytes = 0;
  std::string arithmetic;  // how the size comes about, for the user whose table does not fit
};

struct TableSet {
  MemoryImage image;
  std::vector<TableSize> sizes;  // one for every table of the manifest
  std::map<std::string, std::uint64_t>
      facts;  // what is worth telling besides, by name: `hash tables`, `levels`
  // Where updates are expected, from an algorithm that takes them: puts rules in and takes them out
  // from now on.
  std::shared_ptr<const TableUpdater> updater;
};

// What a builder reports (a rule set that it cannot hold) makes its tables void.
using TableBuilder = TableSet (*)(const BuildInputs&, Diagnostics&);

// The builder compiled from mappings/ALGORITHM/builder.cpp, which defines build_ALGORITHM (`-` as
// `_`); null when there is none.
TableBuilder find_table_builder(std::string_view algorithm);

}  // namespace nplab::mappings
