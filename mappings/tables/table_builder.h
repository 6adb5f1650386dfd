// Table builders: from a rule set to the contents of the memories that an algorithm's tasks read.
//
// A builder is made for one rule set and asked twice: size() says how large each table is, so that
// the tables can be placed; write() then writes each where it lies. The work that both need is done
// once, in size().
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isa/match/mailbox.h"
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

// What a builder works from; it outlives the builder.
struct BuildInputs {
  const workloads::RuleSet& rules;  // within the manifest's limits
  const ParameterValues& parameters;
  const ExpectedUpdates* updates = nullptr;  // none: all rules are in force and stay
  // Called by builders that take long: 0 to 1 over size() and write() together.
  BuildProgress progress{};
  // Of each parameter, and of each table's memory by its name: the value, or the mapping if it does
  // not set one.
  std::map<std::string, SourceLocation> written_at = {};
  std::map<std::string, isa::MemorySpace> memories = {};  // of each table

  [[nodiscard]] std::int64_t parameter(const std::string& name) const {
    return parameters.at(name);
  }
};

struct TableSize {
  std::string table;
  std::uint64_t bytes = 0;
  std::string arithmetic;  // how the size comes about, for the user whose table does not fit
};

// The place of every table of the manifest, by name.
using TablePlaces = std::map<std::string, TablePlace>;

struct TableContents {
  MemoryImage image;  // inside the tables alone
  // What the run record says about the tables besides their sizes: `hash_tables`, `tree_levels`.
  std::map<std::string, std::uint64_t> facts = {};
  // Where updates are expected, from an algorithm that supports them: inserts and deletes rules
  // from now on.
  std::shared_ptr<const TableUpdater> updater = {};
  // Of an algorithm that uses the chip's match unit: what that is loaded with.
  std::shared_ptr<const isa::match::UnitTables> match = {};
};

class TableBuilder {
 public:
  TableBuilder() = default;
  TableBuilder(const TableBuilder&) = delete;
  TableBuilder& operator=(const TableBuilder&) = delete;
  virtual ~TableBuilder() = default;

  // The size of every table of the manifest. Called once, before write(). A rule set or parameters
  // that the algorithm cannot hold are reported; then write() is not called.
  virtual std::vector<TableSize> size(Diagnostics& diagnostics) = 0;

  // The tables at their places, as large as size() said. Called once.
  virtual TableContents write(const TablePlaces& places) = 0;
};

using MakeTableBuilder = std::unique_ptr<TableBuilder> (*)(const BuildInputs&);

// The builder compiled from mappings/ALGORITHM/builder.cpp, which defines make_ALGORITHM_builder
// (`-` as `_`); null when there is none.
MakeTableBuilder find_table_builder(std::string_view algorithm);

}  // namespace nplab::mappings
