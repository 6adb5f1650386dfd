// The bit vector with incremental reads: which vectors are stored, and what an interval's record
// says.
#include <catch2/catch.hpp>

#include "mappings/incremental-bit-vector/layout.h"
#include "mappings/incremental-bit-vector/stored_vectors.h"
#include "tests/mappings/fixtures.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;
using bit_vector::BitVector;
using incremental_bit_vector::differences;

namespace {

std::size_t stored_vectors(const std::vector<incremental_bit_vector::Difference>& all) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    count += all[i].stored == i ? 1 : 0;
  return count;
}

const TablePlacement& table(const PlacedMapping& placed, const std::string& name) {
  for (const TablePlacement& one : placed.placement.tables) {
    if (one.name == name)
      return one;
  }
  FAIL("no table " << name);
  return placed.placement.tables.front();
}

// The vector of a value of a field of four bits, as the tables have it.
std::uint32_t vector_of(const PlacedMapping& placed, std::uint32_t dimension, std::uint32_t value) {
  const auto longword = [&](const TablePlacement& in, std::uint32_t address) {
    return *placed.memory.longword(in.space, address);
  };
  const TablePlacement& pset = table(placed, "pset");
  const std::uint32_t leaf =
      longword(pset, pset.base + dimension * NODE_BYTES(4u, 0u) + ENTRY_BYTES * value);
  REQUIRE((leaf & ENTRY_LEAF) != 0);
  const std::uint32_t record = leaf ^ ENTRY_LEAF;
  if (record == 0)
    return 0;
  const TablePlacement& intervals = table(placed, "intervals");
  std::uint32_t rules =
      longword(table(placed, "vectors"), longword(intervals, record + 4 * INTERVAL_VECTOR));
  for (std::uint32_t i = 0; i < MOST_CHANGES; ++i) {
    const std::uint32_t both = longword(intervals, record + 4 * (INTERVAL_CHANGES + i / 2));
    const std::uint32_t change = i % 2 == 0 ? both >> 16 : both & 0xffff;
    if (change != NO_CHANGE)
      rules ^= VECTOR_FIRST_BIT >> change;
  }
  return rules;
}

}  // namespace

TEST_CASE("a stored vector and an interval's changes give the interval's vector") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto rules = random_rules(seed, 120, {12});
    const auto intervals = bit_vector::make_p_set(rules, 0);
    for (std::size_t most = 0; most <= MOST_CHANGES; ++most) {
      const auto all = differences(intervals, most);
      REQUIRE(all.size() == intervals.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        BitVector vector = intervals[all[i].stored].rules;
        for (const std::uint32_t rule : all[i].rules)
          vector[rule / 32] ^= VECTOR_FIRST_BIT >> rule % 32;
        CHECK(vector == intervals[i].rules);
        CHECK(all[i].rules.size() <= most);
        CHECK(std::is_sorted(all[i].rules.begin(), all[i].rules.end()));
      }
    }
  }
}

TEST_CASE("without changes every interval's vector is stored, with more changes fewer are") {
  const auto intervals = bit_vector::make_p_set(random_rules(3, 200, {32}), 0);
  const std::size_t all = stored_vectors(differences(intervals, 0));
  CHECK(all > intervals.size() * 9 / 10);  // neighbours that differ
  std::size_t fewer = all;
  for (const std::size_t most : {2, 4, 6}) {
    const std::size_t now = stored_vectors(differences(intervals, most));
    CHECK(now < fewer);
    fewer = now;
  }
}

TEST_CASE("exact values that no other rule contains share one vector") {
  std::vector<workloads::Rule> rules(100);
  for (std::size_t i = 0; i < rules.size(); ++i)
    rules[i].ranges = {{10 * i + 5, 10 * i + 5}};
  const workloads::RuleSet set("", "", {{"f", 16, {}, {}}}, rules);
  CHECK(stored_vectors(differences(bit_vector::make_p_set(set, 0), 2)) == 1);
}

TEST_CASE("the records of the published rules give the published vectors") {
  const PlacedMapping placed = place_shipped("ibv-data");
  const std::vector<std::uint32_t> first = {0, 0, 0, 0, 4, 4, 5, 1, 1, 2, 10, 10};
  for (std::uint32_t value = 0; value < first.size(); ++value)
    CHECK(vector_of(placed, 0, value) == first[value] << 28);
  const std::vector<std::uint32_t> second = {0, 1, 9, 9, 8, 2, 2, 2, 4, 4, 4, 4};
  for (std::uint32_t value = 0; value < second.size(); ++value)
    CHECK(vector_of(placed, 1, value) == second[value] << 28);
}
