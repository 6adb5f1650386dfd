// Recursive flow classification: which tables there are, their classes, and the limit.
#include <catch2/catch.hpp>

#include "mappings/include/verdict.h"
#include "mappings/recursive-flow-classification/reduction.h"
#include "tests/mappings/fixtures.h"
#include "workloads/reference/classifier.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

constexpr std::uint64_t kEntries = 1 << 24;

std::vector<workloads::FieldDefinition> fields_of(const std::vector<unsigned>& bits) {
  std::vector<workloads::FieldDefinition> fields;
  for (const unsigned width : bits)
    fields.push_back({"f" + std::to_string(fields.size()), width, {}, {}});
  return fields;
}

workloads::RuleSet rules_of(const std::vector<unsigned>& bits,
                            const std::vector<std::vector<workloads::Range>>& ranges) {
  std::vector<workloads::Rule> rules;
  for (const auto& one : ranges) {
    rules.emplace_back();
    rules.back().ranges = one;
  }
  return {"", "", fields_of(bits), rules};
}

rfc::Reduction reduced(const workloads::RuleSet& rules, unsigned phases) {
  rfc::Excess excess;
  auto reduction = rfc::reduce(rules, phases, {kEntries}, excess);
  REQUIRE(reduction);
  return std::move(*reduction);
}

// The rule of a key, by the tables.
std::uint32_t lookup(const rfc::Reduction& tables, const rfc::Plan& plan,
                     const std::vector<std::uint64_t>& key) {
  std::vector<std::uint32_t> classes;
  for (std::size_t i = 0; i < plan.chunks.size(); ++i) {
    const rfc::Chunk& chunk = plan.chunks[i];
    const std::uint64_t mask = (std::uint64_t{1} << chunk.bits) - 1;
    classes.push_back(tables.chunks[i].class_of[key[chunk.field] >> chunk.shift & mask]);
  }
  const auto combined = [](const std::vector<std::uint32_t>& parts,
                           const std::vector<std::size_t>& set,
                           const std::vector<rfc::Classes>& from) {
    std::size_t index = 0;
    for (const std::size_t part : set)
      index = index * from[part].boxes.size() + parts[part];
    return index;
  };
  std::vector<std::uint32_t> groups;
  for (std::size_t i = 0; i < plan.groups.size(); ++i)
    groups.push_back(tables.groups[i].class_of[combined(classes, plan.groups[i], tables.chunks)]);
  std::vector<std::uint32_t> last = groups;
  if (!tables.pairs.empty()) {
    last.clear();
    for (std::size_t i = 0; i < plan.pairs.size(); ++i)
      last.push_back(tables.pairs[i].class_of[combined(groups, plan.pairs[i], tables.groups)]);
  }
  std::vector<std::size_t> all(last.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = i;
  return tables.matches[combined(last, all, tables.pairs.empty() ? tables.groups : tables.pairs)];
}

}  // namespace

TEST_CASE("the five-tuple has seven chunks, four groups and two pairs, or three groups at once") {
  const auto fields = fields_of({32, 32, 16, 16, 8});
  const rfc::Plan four = rfc::make_plan(fields, 4);
  CHECK(four.chunks.size() == 7);
  CHECK(four.groups == std::vector<std::vector<std::size_t>>{{0, 1}, {2, 3}, {4, 5}, {6}});
  CHECK(four.pairs == std::vector<std::vector<std::size_t>>{{0, 1}, {2, 3}});
  const rfc::Plan three = rfc::make_plan(fields, 3);
  CHECK(three.groups == std::vector<std::vector<std::size_t>>{{0, 1}, {2, 3}, {4, 5, 6}});
  CHECK(three.pairs.size() == 1);
}

TEST_CASE("values that the same rules contain are one class") {
  // 0-1 none, 2-4 the first, 5-6 both, 7 the second, 8-15 none again.
  const auto tables = reduced(rules_of({4}, {{{2, 6}}, {{5, 7}}}), 3);
  CHECK(tables.chunks[0].class_of ==
        std::vector<std::uint32_t>{0, 0, 1, 1, 1, 2, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("a range of a long field that is not a prefix is at most three boxes") {
  // Of the upper chunks 0, 1 and 2 the first and the last are not complete.
  const auto tables = reduced(rules_of({32}, {{{0x0000fff0, 0x0002000f}}}), 3);
  CHECK(tables.chunks[0].boxes.size() == 4);  // no box; the first, the middle, the last
  CHECK(tables.chunks[0].class_of[3] == tables.chunks[0].class_of[0xffff]);
  const rfc::Plan plan = rfc::make_plan(fields_of({32}), 3);
  for (const std::uint64_t inside : {0x0000fff0u, 0x0000ffffu, 0x00010000u, 0x0002000fu})
    CHECK(lookup(tables, plan, {inside}) == 0);
  for (const std::uint64_t outside : {0x0000ffefu, 0x00020010u, 0xffffffffu})
    CHECK(lookup(tables, plan, {outside}) == NO_MATCH);
}

TEST_CASE("tables of more entries than allowed are refused, with the classes that are combined") {
  const auto rules = random_rules(3, 100, {32, 32, 16, 16, 8});
  rfc::Excess excess;
  CHECK_FALSE(rfc::reduce(rules, 4, {500'000}, excess));
  CHECK(excess.phase >= 1);
  CHECK(excess.classes.size() == 2);
  CHECK_FALSE(rfc::reduce(rules, 4, {1'000}, excess));
  CHECK(excess.phase == 0);
}

TEST_CASE("three and four phases find the rule of every key that the reference finds") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const std::vector<unsigned> bits =
        seed % 2 == 0 ? std::vector<unsigned>{32, 20, 16, 8} : std::vector<unsigned>{4, 7, 13};
    const auto rules = random_rules(seed, 20, bits);
    const workloads::LinearScanClassifier scan(rules);
    for (const unsigned phases : {3u, 4u}) {
      const auto tables = reduced(rules, phases);
      const rfc::Plan plan = rfc::make_plan(rules.fields(), phases);
      workloads::Random random(seed);
      for (int i = 0; i < 1000; ++i) {
        const auto key = random_key(random, rules);
        const auto expected = scan.classify(key);
        if (lookup(tables, plan, key) != (expected ? expected->value() : NO_MATCH)) {
          CAPTURE(seed, phases, key);
          CHECK(false);
        }
      }
    }
  }
}
