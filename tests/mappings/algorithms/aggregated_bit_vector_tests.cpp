// The aggregated bit vector's records.
#include <catch2/catch.hpp>

#include "mappings/aggregated-bit-vector/layout.h"
#include "tests/mappings/fixtures.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

constexpr auto kSdram = isa::MemorySpace::kSdram;

const TablePlacement& table(const PlacedMapping& placed, const std::string& name) {
  for (const TablePlacement& one : placed.placement.tables) {
    if (one.name == name) return one;
  }
  FAIL("no table " << name);
  return placed.placement.tables.front();
}

// The record that a value of a field of four bits leads to: its trie is one node of stride 4.
std::uint32_t record_of(const PlacedMapping& placed, std::uint32_t dimension, std::uint32_t value) {
  const std::uint32_t node = table(placed, "pset").base + dimension * NODE_BYTES(4u, 0u);
  const std::uint32_t entry = *placed.memory.longword(kSdram, node + ENTRY_BYTES * value);
  REQUIRE((entry & ENTRY_LEAF) != 0);
  return entry ^ ENTRY_LEAF;
}

// `count` rules over one field of four bits: rule `only` matches 5, the others 9.
workloads::RuleSet rules_with(std::size_t count, std::size_t only) {
  std::vector<workloads::Rule> rules(count);
  for (std::size_t i = 0; i < count; ++i) {
    rules[i].ranges = {i == only ? workloads::Range{5, 5} : workloads::Range{9, 9}};
  }
  return {"", "", {{"f", 4, {}, {}}}, rules};
}

}  // namespace

TEST_CASE("a record holds the published vector behind an aggregate that says it is not 0") {
  const PlacedMapping placed = place_shipped("abv-data");
  const std::uint32_t record = record_of(placed, 0, 6);  // rules 2 and 4: 0101
  CHECK(*placed.memory.longword(kSdram, record) == 0x80000000);
  CHECK(*placed.memory.longword(kSdram, record + BITS_OFFSET(4u, 0u, 1u)) == 0x50000000);
  CHECK(record_of(placed, 0, 15) == 0);  // no rule covers it
}

TEST_CASE("bit i of the aggregate stands for group i, and a second level for the aggregate's longwords") {
  const auto rules = rules_with(1100, 1090);  // rule 1090 is in longword 34, aggregate longword 1
  const PlacedMapping placed = place_shipped("abv-data", rules, {{"parameters.levels", "2", {}}});
  const std::uint32_t record = record_of(placed, 0, 5);
  const auto longword = [&](std::uint32_t offset) { return *placed.memory.longword(kSdram, record + offset); };
  CHECK(longword(0) == 0x40000000);
  CHECK(longword(AGGREGATE_OFFSET(2u)) == 0);
  CHECK(longword(AGGREGATE_OFFSET(2u) + 4) == 0x20000000);
  CHECK(longword(BITS_OFFSET(1100u, 0u, 2u) + 4 * 34) == 0x80000000u >> (1090 - 34 * 32));
}

TEST_CASE("rearranged rules keep their index by position") {
  const auto rules = rules_with(40, 39);
  const PlacedMapping placed = place_shipped("abv-data", rules, {{"parameters.rearranged", "1", {}}});
  const std::uint32_t order = table(placed, "order").base;
  CHECK(*placed.memory.longword(isa::MemorySpace::kSram, order) == 39);  // 5 stands before 9
  CHECK(*placed.memory.longword(isa::MemorySpace::kSram, order + 4) == 0);
}
