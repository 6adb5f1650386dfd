// The aggregated bit vector's records.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "mappings/aggregated-bit-vector/layout.h"
#include "support/input_file.h"
#include "tests/mappings/fixtures.h"
#include "tests/paths.h"
#include "tests/shared_collection.h"
#include "workloads/base/random.h"
#include "workloads/rules/rule_generator.h"
#include "workloads/rules/rule_profile.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

constexpr auto kSdram = isa::MemorySpace::kSdram;

// The record that a value of a field of four bits leads to: its trie is one node of stride 4.
std::uint32_t record_of(const PlacedMapping& placed, std::uint32_t dimension, std::uint32_t value) {
  const std::uint32_t node = table(placed, "pset").base + dimension * NODE_BYTES(4u, 0u);
  const std::uint32_t entry = *placed.memory.longword(kSdram, node + ENTRY_BYTES * value);
  REQUIRE((entry & ENTRY_LEAF) != 0);
  return entry ^ ENTRY_LEAF;
}

// The record of a value's interval, found through the trie of stride 4; 0 when no rule covers it.
std::uint32_t record_at(const PlacedMapping& placed, std::uint32_t dimension, unsigned bits,
                        std::uint64_t value) {
  std::uint32_t node = table(placed, "pset").base + dimension * NODE_BYTES(4u, 0u);
  for (unsigned left = bits; left > 0; left -= 4) {
    const auto child = static_cast<std::uint32_t>(value >> (left - 4) & 15);
    const std::uint32_t entry = *placed.memory.longword(kSdram, node + ENTRY_BYTES * child);
    if ((entry & ENTRY_LEAF) != 0)
      return entry ^ ENTRY_LEAF;
    node = entry;
  }
  FAIL("a trie has no leaf on the way");
  return 0;
}

using Keys = std::vector<std::vector<std::uint64_t>>;

struct FalseGroups {
  std::size_t all = 0;
  std::size_t before_match = 0;  // of these, before the first group with a rule that matches
};

// Adds the groups of 32 rules that all dimensions' aggregates leave for the key, though no rule of
// theirs matches.
void count_false_groups(const PlacedMapping& placed, const workloads::RuleSet& rules,
                        const std::vector<std::uint64_t>& key, FalseGroups& found) {
  const auto count = static_cast<std::uint32_t>(rules.size());
  std::vector<std::uint32_t> records;
  for (std::uint32_t d = 0; d < key.size(); ++d) {
    records.push_back(record_at(placed, d, rules.fields()[d].bits, key[d]));
    if (records.back() == 0)
      return;
  }
  const auto in_all = [&](std::uint32_t offset) {
    std::uint32_t bits = 0xffffffff;
    for (const std::uint32_t record : records)
      bits &= *placed.memory.longword(kSdram, record + offset);
    return bits;
  };
  bool is_matched = false;
  for (std::uint32_t group = 0; group < GROUPS_OF(count, 0u); ++group) {
    const bool is_left =
        (in_all(AGGREGATE_OFFSET(1u) + group / 32 * 4) & VECTOR_FIRST_BIT >> group % 32) != 0;
    if (!is_left)
      continue;
    if (in_all(BITS_OFFSET(count, 0u, 1u) + 4 * group) != 0) {
      is_matched = true;
    } else {
      ++found.all;
      if (!is_matched)
        ++found.before_match;
    }
  }
}

FalseGroups false_groups_of(const workloads::RuleSet& rules, const char* rearranged,
                            const Keys& keys) {
  const PlacedMapping placed =
      place_shipped("abv-data", rules, {{"parameters.rearranged", rearranged, {}}});
  FalseGroups found;
  for (const auto& key : keys)
    count_false_groups(placed, rules, key, found);
  return found;
}

// A thousand rules of a profile that is shipped.
workloads::RuleSet generated_rules(const std::string& profile) {
  Diagnostics diagnostics;
  const auto file =
      read_input_file(source_path("workloads/profiles/") + profile + ".yaml", diagnostics);
  const auto parsed = file ? workloads::parse_profile(*file, diagnostics) : std::nullopt;
  auto rules = parsed ? workloads::generate_rules(*parsed, 1000, 1) : std::nullopt;
  INFO(diagnostics.to_string());
  REQUIRE(rules);
  return std::move(*rules);
}

// Each from a rule, all rules alike.
Keys keys_from(const workloads::RuleSet& rules, std::size_t count) {
  workloads::Random random(5);
  Keys keys(count);
  for (auto& key : keys)
    for (const workloads::Range& range : rules.rules()[random.below(rules.size())].ranges)
      key.push_back(random.in(range));
  return keys;
}

// A row of the table in the algorithm's README, as far as it can be counted.
std::string row_of(const std::string& name, const workloads::RuleSet& rules) {
  const Keys keys = keys_from(rules, 3000);
  const FalseGroups in_order = false_groups_of(rules, "0", keys),
                    rearranged = false_groups_of(rules, "1", keys);
  const auto each = [&](std::size_t groups) {
    return static_cast<double>(groups) / static_cast<double>(keys.size());
  };
  return fmt::format("| {} | {:.1f} / {:.1f} | {:.1f} / {:.1f} |", name, each(in_order.all),
                     each(rearranged.all), each(in_order.before_match),
                     each(rearranged.before_match));
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

TEST_CASE("a record holds the published vector after an aggregate that says it is not 0") {
  const PlacedMapping placed = place_shipped("abv-data");
  const std::uint32_t record = record_of(placed, 0, 6);  // rules 2 and 4: 0101
  CHECK(*placed.memory.longword(kSdram, record) == 0x80000000);
  CHECK(*placed.memory.longword(kSdram, record + BITS_OFFSET(4u, 0u, 1u)) == 0x50000000);
  CHECK(record_of(placed, 0, 15) == 0);  // no rule covers it
}

TEST_CASE(
    "bit i of the aggregate stands for group i, and a second level for the aggregate's longwords") {
  const auto rules = rules_with(1100, 1090);  // rule 1090 is in longword 34, aggregate longword 1
  const PlacedMapping placed = place_shipped("abv-data", rules, {{"parameters.levels", "2", {}}});
  const std::uint32_t record = record_of(placed, 0, 5);
  const auto longword = [&](std::uint32_t offset) {
    return *placed.memory.longword(kSdram, record + offset);
  };
  CHECK(longword(0) == 0x40000000);
  CHECK(longword(AGGREGATE_OFFSET(2u)) == 0);
  CHECK(longword(AGGREGATE_OFFSET(2u) + 4) == 0x20000000);
  CHECK(longword(BITS_OFFSET(1100u, 0u, 2u) + 4 * 34) == 0x80000000u >> (1090 - 34 * 32));
}

TEST_CASE("rearranged rules keep their index by position") {
  const auto rules = rules_with(40, 39);
  const PlacedMapping placed =
      place_shipped("abv-data", rules, {{"parameters.rearranged", "1", {}}});
  const std::uint32_t order = table(placed, "order").base;
  CHECK(*placed.memory.longword(isa::MemorySpace::kSram, order) == 39);  // 5 stands before 9
  CHECK(*placed.memory.longword(isa::MemorySpace::kSram, order + 4) == 0);
}

TEST_CASE(
    "where rules of two sorts take turns, rearranging them leaves no false group but where the "
    "sorts meet") {
  // Each group has rules for 7 in the first field and rules for 7 in the second, and none for both.
  std::vector<workloads::Rule> rules(640);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const workloads::Range own{1000 + i, 1000 + i};
    rules[i].ranges = {{7, 7}, own};
    if (i % 2 != 0)
      std::swap(rules[i].ranges[0], rules[i].ranges[1]);
  }
  const workloads::RuleSet set("", "", {{"f0", 16, {}, {}}, {"f1", 16, {}, {}}}, rules);
  CHECK(false_groups_of(set, "0", {{7, 7}}).all == 20);
  CHECK(false_groups_of(set, "1", {{7, 7}}).all == 0);
}

TEST_CASE("rearranging leaves fewer false groups on generated sets of every profile") {
  for (const char* profile : {"acl", "fw", "ipc"}) {
    const workloads::RuleSet rules = generated_rules(profile);
    const Keys keys = keys_from(rules, 300);
    INFO(profile);
    CHECK(false_groups_of(rules, "1", keys).all < false_groups_of(rules, "0", keys).all);
  }
}

TEST_CASE("the README's false groups of generated and ClassBench sets are those that are counted",
          "[full][false_groups]") {
  Diagnostics diagnostics;
  const auto readme =
      read_input_file(source_path("mappings/aggregated-bit-vector/README.md"), diagnostics);
  REQUIRE(readme);
  for (const char* profile : {"acl", "fw", "ipc"})
    CHECK_THAT(readme->bytes, Catch::Contains(row_of(std::string(profile) + ", 1,000 generated",
                                                     generated_rules(profile))));
  for (const char* set : {"acl1_1000", "fw1_1000", "ipc1_1000"}) {
    const std::string path = shared_file(std::string("classbench/") + set + ".rules.xz");
    if (path.empty())
      continue;
    const auto rules = workloads::read_rule_set(path, diagnostics);
    REQUIRE(rules);
    CHECK_THAT(readme->bytes, Catch::Contains(row_of(std::string("ClassBench ") + set, *rules)));
  }
}
