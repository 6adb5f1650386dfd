// HyperSplit and CutSplit: where nodes are split, and which rules share a tree.
#include <catch2/catch.hpp>

#include "mappings/cutsplit/forest.h"
#include "mappings/hypersplit/split_tree.h"
#include "tests/mappings/fixtures.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

using Ranges = std::vector<std::vector<workloads::Range>>;

workloads::RuleSet rules_of(const std::vector<unsigned>& bits, const Ranges& ranges) {
  std::vector<workloads::FieldDefinition> fields;
  for (const unsigned width : bits)
    fields.push_back({"f" + std::to_string(fields.size()), width, {}, {}});
  std::vector<workloads::Rule> rules;
  for (const auto& one : ranges) {
    rules.emplace_back();
    rules.back().ranges = one;
  }
  return {"", "", fields, rules};
}

hypersplit::Tree tree_of(const workloads::RuleSet& rules, std::size_t binth) {
  hicuts::LeafRules all;
  for (std::uint32_t i = 0; i < rules.size(); ++i)
    all.push_back(i);
  auto tree = hypersplit::make_tree(rules, all, hicuts::whole_box(rules), {binth, 1 << 20});
  REQUIRE(tree);
  return std::move(*tree);
}

}  // namespace

TEST_CASE("HyperSplit splits the field whose segments overlap the fewest rules on average") {
  // Field 0: all rules overlap everywhere. Field 1: four segments of one rule each.
  const auto rules = rules_of(
      {4, 4}, {{{0, 15}, {0, 3}}, {{0, 15}, {4, 7}}, {{0, 15}, {8, 11}}, {{0, 15}, {12, 15}}});
  const auto tree = tree_of(rules, 1);
  CHECK(tree.nodes[0].field == 1);
  CHECK(tree.nodes[0].value == 7);  // half of the sum of 4 is reached with the second segment
  CHECK(tree.depth == 2);
  CHECK(tree.nodes.size() == 7);
  CHECK(tree.leaves.size() == 4);
}

TEST_CASE("a node of HyperSplit with binth rules, or with one that hides the others, is a leaf") {
  const Ranges disjoint = {{{0, 3}}, {{4, 7}}, {{8, 15}}};
  CHECK(tree_of(rules_of({4}, disjoint), 3).nodes.size() == 1);
  const auto hidden = tree_of(rules_of({4}, {{{0, 15}}, {{1, 2}}, {{4, 7}}}), 1);
  CHECK(hidden.nodes.size() == 1);
  CHECK(hidden.leaves == std::vector<hicuts::LeafRules>{{0}});
}

TEST_CASE("a tree of HyperSplit with more nodes than allowed is refused") {
  const auto rules = random_rules(5, 100, {32, 32, 16});
  hicuts::LeafRules all;
  for (std::uint32_t i = 0; i < rules.size(); ++i)
    all.push_back(i);
  CHECK_FALSE(hypersplit::make_tree(rules, all, hicuts::whole_box(rules), {1, 50}));
}

TEST_CASE("CutSplit divides rules by which of the addresses are small, first rules first") {
  constexpr workloads::Range kAny{0, 0xffffffff};
  constexpr workloads::Range kSmall{0x0a000000, 0x0a0000ff};
  const auto rules = rules_of(
      {32, 32}, {{kAny, kAny}, {kSmall, kAny}, {kSmall, kSmall}, {kAny, kSmall}, {kSmall, kSmall}});
  const auto forest = cutsplit::make_forest(rules, {8, 16, 4, 1 << 20});
  REQUIRE(forest);
  CHECK(forest->first_rules == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(forest->leaves == std::vector<hicuts::LeafRules>{{0}, {1}, {2, 4}, {3}});
}

TEST_CASE("CutSplit cuts small fields alone, after the bits that all rules share, then splits") {
  // 64 rules of one address each, 2^20 apart: 6 bits differ.
  Ranges ranges;
  for (std::uint64_t i = 0; i < 64; ++i)
    ranges.push_back({{i << 20, i << 20}, {i % 16, i % 16}});
  const auto forest = cutsplit::make_forest(rules_of({32, 4}, ranges), {1, 16, 4, 1 << 20});
  REQUIRE(forest);
  CHECK(forest->roots.size() == 1);
  const cutsplit::Node& root = forest->nodes[forest->roots[0]];
  CHECK(root.kind == cutsplit::Node::Kind::kCut);
  CHECK(root.field == 0);
  CHECK(root.shift == 22);  // bits 25..22, of 2^4 parts
  CHECK(root.mask == 15);
  CHECK(forest->cut_nodes == 17);  // and each part once more, by 2 bits
  CHECK(forest->depth == 2);
}
