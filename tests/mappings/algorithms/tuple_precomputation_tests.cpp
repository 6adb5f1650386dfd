// Tuple space search with precomputation: the pairs, the markers, and the way of a search through
// the grid of tuples.
#include <catch2/catch.hpp>

#include "mappings/include/verdict.h"
#include "mappings/tuple-precomputation/pair_grid.h"
#include "tests/mappings/fixtures.h"
#include "workloads/reference/classifier.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;
using tuple_precomputation::make_pair_grid;
using tuple_precomputation::Pair;
using tuple_precomputation::PairGrid;

namespace {

// The example of Gupta and McKeown, "Algorithms for packet classification", IEEE Network 15(2),
// 2001: R1 00*,00*; R2 0*,01*; R3 1*,0*; R4 00*,0*; R5 0*,1*; R6 *,1*.
workloads::RuleSet example() {
  const std::vector<std::vector<workloads::Range>> ranges = {{{0, 1}, {0, 1}}, {{0, 3}, {2, 3}},
                                                             {{4, 7}, {0, 3}}, {{0, 1}, {0, 3}},
                                                             {{0, 3}, {4, 7}}, {{0, 7}, {4, 7}}};
  std::vector<workloads::Rule> rules;
  for (const auto& one : ranges) {
    rules.emplace_back();
    rules.back().ranges = one;
  }
  return {"", "", {{"source", 3, {}, {}}, {"destination", 3, {}, {}}}, rules};
}

const Pair* find_pair(const PairGrid& grid, std::size_t row, std::size_t column,
                      std::array<std::uint32_t, 2> fields) {
  const auto masks = grid.masks(row, column);
  for (const Pair& pair : grid.pairs) {
    if (pair.row == row && pair.column == column && pair.key[0] == (fields[0] & masks[0]) &&
        pair.key[1] == (fields[1] & masks[1]))
      return &pair;
  }
  return nullptr;
}

struct Search {
  std::uint32_t rule = NO_MATCH;
  std::size_t probes = 0;
};

// As the paper has it: from the longest row and the shortest column to the right after a hit, to
// the next shorter row after a miss.
Search search(const PairGrid& grid, const workloads::RuleSet& rules,
              const std::vector<std::uint64_t>& key) {
  const std::array<std::uint32_t, 2> fields = {
      static_cast<std::uint32_t>(key[0]), key.size() > 1 ? static_cast<std::uint32_t>(key[1]) : 0};
  Search found;
  std::size_t row = 0, column = 0;
  while (row < grid.rows.size() && column < grid.columns.size()) {
    ++found.probes;
    const Pair* pair = find_pair(grid, row, column, fields);
    if (pair == nullptr) {
      ++row;
      continue;
    }
    ++column;
    for (;;) {
      for (const std::uint32_t rule : pair->rules) {
        bool matches = rule < found.rule;
        for (std::size_t f = 0; f < key.size(); ++f) {
          const workloads::Range& range = rules.rules()[rule].ranges[f];
          matches = matches && range.low <= key[f] && key[f] <= range.high;
        }
        if (matches)
          found.rule = rule;
      }
      if (!pair->covering)
        break;
      pair = &grid.pairs[*pair->covering];
    }
  }
  return found;
}

}  // namespace

TEST_CASE("the survey's example makes six pairs of prefixes and one marker") {
  const PairGrid grid = make_pair_grid(example());
  CHECK(grid.rows == std::vector<unsigned>{2, 1, 0});
  CHECK(grid.columns == std::vector<unsigned>{1, 2});
  REQUIRE(grid.pairs.size() == 7);
  const Pair* marker = find_pair(grid, 1, 0, {0, 0});  // 0*,0*: R2 left it, whose pair is 0*,01*
  REQUIRE(marker != nullptr);
  CHECK(marker->rules.empty());
  CHECK(marker->best == NO_MATCH);
  const Pair* r4 = find_pair(grid, 0, 0, {0, 0});  // 00*,0*: R4's pair is R1's marker as well
  REQUIRE(r4 != nullptr);
  CHECK(r4->rules == std::vector<std::uint32_t>{3});
  CHECK_FALSE(r4->covering);  // the marker covers it, but has no rule
}

TEST_CASE("a pair knows the best rule of the shorter prefixes of field 0 that cover it") {
  const PairGrid grid = make_pair_grid(example());
  const Pair* r5 = find_pair(grid, 1, 0, {0, 4});  // 0*,1* is inside R6's *,1*
  REQUIRE(r5 != nullptr);
  REQUIRE(r5->covering);
  CHECK(grid.pairs[*r5->covering].rules == std::vector<std::uint32_t>{5});
  CHECK(r5->best == 4);
}

TEST_CASE("a rule leaves a marker in each shorter column that occurs, once") {
  std::vector<workloads::Rule> rules(4);
  rules[0].ranges = {{8, 8}, {0, 15}};  // lengths of the second field: 0, 2, 3, 4
  rules[1].ranges = {{0, 15}, {4, 7}};
  rules[2].ranges = {{0, 15}, {4, 5}};
  rules[3].ranges = {{9, 9}, {5, 5}};
  const PairGrid grid =
      make_pair_grid({"", "", {{"a", 4, {}, {}}, {"b", 4, {}, {}}}, std::move(rules)});
  CHECK(grid.rows == std::vector<unsigned>{4, 0});
  CHECK(grid.columns == std::vector<unsigned>{0, 2, 3, 4});
  // Row 4: rule 0; rule 3 with markers in columns 0, 2 and 3. Row 0: rules 1 and 2, whose marker in
  // column 2 is rule 1's pair, and one marker in column 0.
  CHECK(grid.pairs.size() == 1 + 4 + 3);
  const Pair* marker = find_pair(grid, 0, 1, {9, 5});
  REQUIRE(marker != nullptr);
  CHECK(marker->rules.empty());
  CHECK(marker->best == 1);
}

TEST_CASE("a search probes at most rows + columns - 1 tuples and finds what the reference finds") {
  const std::vector<std::vector<unsigned>> shapes = {{9}, {9, 9}, {32, 32}, {32, 32, 16, 16, 8}};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto rules = random_rules(seed, 40, shapes[seed % shapes.size()]);
    const PairGrid grid = make_pair_grid(rules);
    const workloads::ReferenceClassifier reference(rules);
    workloads::Random random(seed);
    for (int i = 0; i < 300; ++i) {
      const auto key = random_key(random, rules);
      const auto expected = reference.classify(key);
      const Search found = search(grid, rules, key);
      CAPTURE(seed, key);
      CHECK(found.rule == (expected ? expected->value() : NO_MATCH));
      CHECK(found.probes <= grid.rows.size() + grid.columns.size() - 1);
    }
  }
}
