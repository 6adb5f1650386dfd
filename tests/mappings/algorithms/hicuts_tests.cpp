// HiCuts: the tree's shape, and what it leaves to the leaves.
#include <catch2/catch.hpp>

#include "mappings/hicuts/tree.h"
#include "tests/mappings/fixtures.h"
#include "workloads/reference/classifier.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;
using hicuts::Node;
using hicuts::Tree;

namespace {

constexpr std::size_t kNodes = 1 << 20;

workloads::RuleSet rules_of(const std::vector<unsigned>& bits,
                            const std::vector<std::vector<workloads::Range>>& ranges) {
  std::vector<workloads::FieldDefinition> fields;
  for (const unsigned width : bits)
    fields.push_back({"f" + std::to_string(fields.size()), width, {}, {}});
  std::vector<workloads::Rule> rules;
  for (const auto& one : ranges) {
    workloads::Rule rule;
    rule.ranges = one;
    rules.push_back(rule);
  }
  return {"", "", fields, rules};
}

const std::vector<std::uint32_t>& leaf_of(const Tree& tree, const std::vector<std::uint64_t>& key) {
  const Node* node = &tree.nodes.front();
  while (!node->is_leaf)
    node = &tree.nodes[node->first_child + (key[node->field] >> node->shift & node->mask)];
  return tree.leaves[node->leaf];
}

Tree tree_of(const workloads::RuleSet& rules, std::size_t binth, std::size_t spfac) {
  auto tree = hicuts::make_tree(rules, {binth, spfac, kNodes});
  REQUIRE(tree);
  return std::move(*tree);
}

}  // namespace

TEST_CASE("no more rules than binth are one leaf") {
  const Tree tree = tree_of(published_rules(), 4, 4);
  CHECK(tree.nodes.size() == 1);
  CHECK(tree.depth == 0);
  CHECK(tree.leaves == std::vector<std::vector<std::uint32_t>>{{0, 1, 2, 3}});
}

TEST_CASE("the field that parts the rules is cut, into as many parts as spfac allows") {
  // Field 0 is the same in all rules; field 1 has eight values, four of them used.
  const auto rules =
      rules_of({3, 3}, {{{0, 7}, {0, 0}}, {{0, 7}, {2, 2}}, {{0, 7}, {5, 5}}, {{0, 7}, {7, 7}}});
  const Tree fine = tree_of(rules, 1, 4);
  CHECK(fine.nodes[0].field == 1);
  CHECK(fine.nodes[0].mask == 7);  // 4 rules + 8 parts = 12, at most 4 x 4
  CHECK(fine.nodes.size() == 9);
  const Tree coarse = tree_of(rules, 1, 2);
  CHECK(coarse.nodes[0].mask == 3);  // 4 rules + 4 parts = 8, at most 2 x 4
  CHECK(coarse.nodes[0].shift == 1);
}

TEST_CASE("leading bits that all rules share are not cut") {
  const auto rules = rules_of({32}, {{{0x0a000000, 0x0a000000}}, {{0x0a000001, 0x0a000001}}});
  const Tree tree = tree_of(rules, 1, 4);
  CHECK(tree.nodes[0].shift == 0);
  CHECK(tree.nodes[0].mask == 1);
  CHECK(leaf_of(tree, {0x0a000001}) == std::vector<std::uint32_t>{1});
}

TEST_CASE("rules after one that matches everything are left out") {
  const auto rules = rules_of({4}, {{{1, 1}}, {{0, 15}}, {{2, 2}}, {{3, 3}}});
  CHECK(tree_of(rules, 2, 4).leaves == std::vector<std::vector<std::uint32_t>>{{0, 1}});
}

TEST_CASE("a tree of more nodes than allowed is refused") {
  const auto rules = random_rules(2, 200, {32, 32, 16, 16, 8});
  CHECK_FALSE(hicuts::make_tree(rules, {1, 8, 100}));
}

TEST_CASE(
    "the leaf of every key of random rules holds the rule that the reference finds, and none "
    "before it") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::vector<unsigned> bits =
        seed % 2 == 0 ? std::vector<unsigned>{32, 32, 16, 16, 8} : std::vector<unsigned>{4, 7, 13};
    const auto rules = random_rules(seed, 60, bits);
    const Tree tree = tree_of(rules, 1 + seed % 4, 2 + seed % 3);
    const workloads::LinearScanClassifier scan(rules);
    workloads::Random random(seed);
    for (int i = 0; i < 2000; ++i) {
      const auto key = random_key(random, rules);
      const auto expected = scan.classify(key);
      std::optional<std::uint32_t> found;
      for (const std::uint32_t rule : leaf_of(tree, key)) {
        const auto& ranges = rules.rules()[rule].ranges;
        bool matches = true;
        for (std::size_t f = 0; f < key.size(); ++f) {
          matches = matches && ranges[f].low <= key[f] && key[f] <= ranges[f].high;
        }
        if (matches && !found)
          found = rule;
      }
      if (found != (expected ? std::optional(expected->value()) : std::nullopt)) {
        CAPTURE(seed, key);
        CHECK(false);
      }
    }
  }
}
