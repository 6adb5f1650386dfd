// The survey's structures of two fields: tries, quadtree, segment tree; and cross-producting.
#include <catch2/catch.hpp>

#include "mappings/cross-producting/products.h"
#include "mappings/fat-inverted-segment-tree/segment_tree.h"
#include "mappings/grid-of-tries/tries.h"
#include "mappings/include/verdict.h"
#include "tests/mappings/fixtures.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

constexpr std::size_t kNodes = 1 << 20;

std::size_t source_tries(const tries::Tries& tries) {
  std::size_t count = 0;
  for (const auto& node : tries.sources)
    count += node.trie != tries::kNone ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("hierarchical tries hold each rule of the survey's example once") {
  const auto tries =
      tries::make_tries(gupta_mckeown_rules(), tries::TrieKind::kHierarchical, kNodes);
  CHECK(tries.is_complete);
  CHECK(tries.sources.size() == 4);  // *, 0*, 1*, 00*
  CHECK(source_tries(tries) == 4);
  CHECK(tries.lists.nodes() == 11);  // 2 for *, 4 for 0*, 2 for 1*, 3 for 00*
  CHECK(tries.lists.switch_pointers() == 0);
}

TEST_CASE("set-pruning tries repeat the rules of shorter prefixes") {
  const auto tries = tries::make_tries(gupta_mckeown_rules(), tries::TrieKind::kSetPruning, kNodes);
  // 00*: its own 0* and 00*, and 01* and 1* of shorter ones.
  CHECK(tries.lists.nodes() == 2 + 4 + 3 + 5);
}

TEST_CASE("the grid of tries points on where a shorter prefix has more") {
  const auto tries = tries::make_tries(gupta_mckeown_rules(), tries::TrieKind::kGrid, kNodes);
  CHECK(tries.lists.nodes() == 11);
  // 1* on to 1* of *; 00*: at its root on to 1* and at 0* on to 01*, both of 0*.
  CHECK(tries.lists.switch_pointers() == 3);
}

TEST_CASE("tries of more nodes than allowed are not completed") {
  const auto rules = random_rules(9, 100, {32, 32});
  for (const auto kind :
       {tries::TrieKind::kHierarchical, tries::TrieKind::kSetPruning, tries::TrieKind::kGrid})
    CHECK_FALSE(tries::make_tries(rules, kind, 100).is_complete);
}

TEST_CASE("each rule is in exactly one node of the segment tree on the way of each of its values") {
  const auto rules = random_rules(4, 60, {10, 10});
  for (const unsigned levels : {1u, 2u, 3u, 6u}) {
    const auto tree = segment_tree::make_tree(rules, levels);
    for (std::uint64_t value = 0; value < 1024; ++value) {
      std::size_t node = 0;
      while (node + 1 < tree.lows.size() && tree.lows[node + 1] <= value)
        ++node;
      std::vector<std::size_t> seen(rules.size());
      std::size_t steps = 0;
      for (; node != segment_tree::kNoParent; node = tree.nodes[node].parent, ++steps) {
        for (const std::uint32_t rule : tree.nodes[node].rules)
          ++seen[rule];
      }
      REQUIRE(steps <= levels + 1);
      for (std::uint32_t rule = 0; rule < rules.size(); ++rule)
        REQUIRE(seen[rule] == (rules.rules()[rule].ranges[0].contains(value) ? 1 : 0));
    }
  }
}

TEST_CASE(
    "the intervals of field 1 list the rules that match there, up to one that hides the rest") {
  const auto intervals = segment_tree::make_intervals(gupta_mckeown_rules(), {1, 2, 4});
  CHECK(intervals.lows == std::vector<std::uint64_t>{0, 2, 4});
  // R3 first, then R2, which hides it; then R5.
  CHECK(intervals.rules == std::vector<hicuts::LeafRules>{{2}, {1}, {4}});
}

TEST_CASE("products of classes are the first rules of all combinations of intervals") {
  const auto rules = published_rules();
  std::vector<cross_producting::DimensionClasses> dimensions;
  std::size_t combinations = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    dimensions.push_back(cross_producting::make_classes(rules, d));
    combinations *= dimensions.back().count();
  }
  // The publication's vectors: 5, 5 and 5 different ones with a rule.
  CHECK(dimensions[0].count() == 5);
  CHECK(dimensions[1].count() == 5);
  CHECK(dimensions[2].count() == 5);
  const auto products = cross_producting::make_products(dimensions);
  REQUIRE(products.size() == combinations);
  const auto class_of = [&](std::size_t d, std::uint64_t value) {
    std::size_t i = 0;
    while (i + 1 < dimensions[d].lows.size() && dimensions[d].lows[i + 1] <= value)
      ++i;
    return dimensions[d].class_of[i];
  };
  const std::size_t at = (class_of(0, 6) - 1) * 25 + (class_of(1, 10) - 1) * 5 + class_of(2, 2) - 1;
  CHECK(products[at] == 1);    // (6, 10, 2) matches r2
  CHECK(class_of(0, 0) == 0);  // no rule covers it
}
