// Rules that come and go in the hash tables of tuple space search and TupleMerge: memory behind
// every write.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include "mappings/include/readers.h"
#include "mappings/include/verdict.h"
#include "mappings/tuple-space-search/layout.h"
#include "tests/mappings/fixtures.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

const std::map<std::string, TablePlace> kPlaces = {
    {"tuples", {isa::MemorySpace::kSram, 0x1000}},
    {"slots", {isa::MemorySpace::kSram, 0x10000}},
    {"entries", {isa::MemorySpace::kSdram, 0x20000}},
    {"readers", {isa::MemorySpace::kScratch, 0x100}}};

struct BuiltTables {
  std::vector<TableSize> sizes;
  MemoryImage image;
  std::shared_ptr<const TableUpdater> updater;
};

BuiltTables build(const BuildInputs& inputs, const std::string& algorithm) {
  Diagnostics diagnostics;
  const auto builder = find_table_builder(algorithm)(inputs);
  auto sizes = builder->size(diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  TableContents contents = builder->write(kPlaces);
  return {std::move(sizes), std::move(contents.image), std::move(contents.updater)};
}

BuiltTables build(const std::string& algorithm, const workloads::RuleSet& rules,
                  const ExpectedUpdates* updates) {
  const ParameterValues parameters = {
      {"collision_limit", 8}, {"hash_unit", 1}, {"updates", updates == nullptr ? 0 : 1}};
  return build({rules, parameters, updates}, algorithm);
}

std::uint32_t read(const MemoryImage& image, isa::MemorySpace space, std::uint32_t address) {
  const auto value = image.longword(space, address);
  REQUIRE(value);
  return *value;
}

// The rules that lookups can find, walking every slot of every hash table. Chains ascend, within
// the table of entries.
std::set<std::uint32_t> rules_in(const MemoryImage& image, const BuiltTables& set) {
  std::uint64_t slot_bytes = 0, entry_bytes = 0;
  for (const TableSize& size : set.sizes) {
    if (size.table == "slots")
      slot_bytes = size.bytes;
    if (size.table == "entries")
      entry_bytes = size.bytes;
  }
  std::set<std::uint32_t> rules;
  const TablePlace slots = kPlaces.at("slots"), entries = kPlaces.at("entries");
  for (std::uint32_t slot = 0; slot < slot_bytes; slot += SLOT_BYTES) {
    std::uint32_t before = 0;
    for (std::uint32_t at = read(image, slots.space, slots.base + slot); at != 0;
         at = read(image, entries.space, at + 4 * ENTRY_NEXT)) {
      REQUIRE(at - entries.base < entry_bytes);
      const std::uint32_t rule = read(image, entries.space, at + 4 * ENTRY_RULE);
      REQUIRE((before == 0 || rule + 1 > before));
      before = rule + 1;
      REQUIRE(rules.insert(rule).second);
    }
  }
  return rules;
}

void put(MemoryImage& image, const TableWrite& write) {
  for (std::uint32_t i = 0; i < write.longwords.size(); ++i) {
    image.put_longword(write.space, write.address + 4 * i, write.longwords[i]);
  }
}

}  // namespace

TEST_CASE(
    "a rule comes and goes with one longword, and all writes before it change nothing that lookups "
    "find") {
  const std::string algorithm = GENERATE("tuple-space-search", "tuple-merge");
  const auto rules = random_rules(7, 120, {32, 32, 16, 16, 8});
  workloads::Random random(3);
  ExpectedUpdates updates{std::vector<bool>(rules.size()), rules.size()};
  std::set<std::uint32_t> present;
  for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
    updates.at_start[rule] = random.below(3) != 0;
    if (updates.at_start[rule])
      present.insert(rule);
  }
  const BuiltTables set = build(algorithm, rules, &updates);
  MemoryImage image = set.image;
  REQUIRE(rules_in(image, set) == present);
  REQUIRE(set.updater);
  const auto tables = set.updater->clone();
  for (int step = 0; step < 600; ++step) {
    const auto rule = static_cast<std::uint32_t>(random.below(rules.size()));
    const bool inserts = !present.contains(rule);
    auto change = inserts ? tables->insert(rule) : std::optional(tables->erase(rule));
    if (!change) {
      tables->reclaim();
      change = tables->insert(rule);
    }
    REQUIRE(change);
    for (const TableWrite& write : change->preparation) {
      put(image, write);
      REQUIRE(rules_in(image, set) == present);
    }
    REQUIRE(change->link.longwords.size() == 1);
    put(image, change->link);
    if (inserts)
      present.insert(rule);
    else
      present.erase(rule);
    REQUIRE(rules_in(image, set) == present);
  }
}

TEST_CASE(
    "the memory of a rule that was taken out stays as it is until it is reclaimed, and then serves "
    "again") {
  const auto rules = random_rules(9, 40, {32, 32, 16, 16, 8});
  const ExpectedUpdates updates{std::vector<bool>(rules.size(), true), rules.size()};
  const BuiltTables set = build("tuple-space-search", rules, &updates);
  const auto tables = set.updater->clone();
  std::set<std::uint32_t> fresh;
  // The spare entries, one for each insert of a rule that was taken out before.
  for (;;) {
    tables->erase(0);
    const auto change = tables->insert(0);
    if (!change)
      break;
    for (const TableWrite& write : change->preparation) {
      for (std::uint32_t at = 0; at < 4 * write.longwords.size(); at += 4) {
        REQUIRE(fresh.insert(write.address + at).second);
        REQUIRE_FALSE(set.image.longword(write.space, write.address + at));  // no rule lay there
      }
    }
  }
  CHECK(fresh.size() == 64 * ENTRY_BYTES / 4);
  tables->reclaim();
  const auto again = tables->insert(0);
  REQUIRE(again);
  CHECK(
      (fresh.count(again->preparation[0].address) == 1 ||
       set.image.longword(again->preparation[0].space, again->preparation[0].address).has_value()));
}

TEST_CASE("tables without expected updates hold all rules, have no spare entries and no readers") {
  const auto rules = random_rules(5, 60, {32, 32, 16, 16, 8});
  const BuiltTables set = build("tuple-merge", rules, nullptr);
  CHECK_FALSE(set.updater);
  CHECK(rules_in(set.image, set).size() == rules.size());
  for (const TableSize& size : set.sizes) {
    if (size.table == "entries")
      CHECK(size.bytes == 60 * ENTRY_BYTES);
    if (size.table == "readers")
      CHECK(size.bytes == 0);
  }
}

TEST_CASE("a builder of hash tables tells how far it is, rule by rule, in every part of its work",
          "[rule_chains]") {
  const std::string algorithm = GENERATE("tuple-space-search", "tuple-merge");
  std::vector<workloads::Rule> rules(20000);
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    const std::uint64_t address = std::uint64_t{i} << 12;
    rules[i].ranges = {{address, address}, {0, 0xffffffff}, {0, 65535}, {0, 65535}, {0, 255}};
  }
  const workloads::RuleSet set{"", "", workloads::five_tuple_fields(), rules};
  const ParameterValues parameters = {{"collision_limit", 8}, {"hash_unit", 1}, {"updates", 0}};
  std::vector<double> told;
  build({set, parameters, nullptr, [&](double done) { told.push_back(done); }}, algorithm);
  REQUIRE(told.size() > 20);
  CHECK(told.front() == 0);
  CHECK(std::is_sorted(told.begin(), told.end()));
  for (std::size_t i = 1; i < told.size(); ++i)
    CHECK(told[i] - told[i - 1] < 0.1);
  CHECK(told.back() > 0.9);
  CHECK(told.back() <= 1);
}
