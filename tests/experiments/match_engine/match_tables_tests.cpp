// A rule set as the tables of the match unit, searched here as plainly as can be.
#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mappings/tables/match_tables.h"
#include "workloads/reference/classifier.h"

namespace nplab::test {
namespace {

using isa::match::masked;
using mappings::MatchKeyPacking;
using mappings::MatchTables;
using mappings::RangePrefix;
using workloads::FieldDefinition;
using workloads::Range;
using workloads::Rule;
using workloads::RuleSet;

std::string text_of(const std::vector<RangePrefix>& prefixes) {
  std::string text;
  for (const RangePrefix& prefix : prefixes)
    text += (text.empty() ? "" : " ") + std::to_string(prefix.value) + "/" +
            std::to_string(prefix.length);
  return text;
}

std::vector<FieldDefinition> fields_of(
    const std::vector<std::pair<const char*, unsigned>>& widths) {
  std::vector<FieldDefinition> fields;
  for (const auto& [name, bits] : widths)
    fields.push_back({name, bits, workloads::MatchKind::kRange, std::nullopt});
  return fields;
}

RuleSet rules_of(std::vector<FieldDefinition> fields, const std::vector<std::vector<Range>>& all) {
  std::vector<Rule> rules;
  for (const auto& ranges : all) {
    Rule rule;
    rule.ranges = ranges;
    rules.push_back(rule);
  }
  return {"test", "", std::move(fields), std::move(rules)};
}

// The action of the best entry that the key matches, by trying all.
std::optional<std::uint32_t> best_of(const MatchTables& tables, const isa::match::Key& key) {
  const isa::match::Entry* best = nullptr;
  for (const isa::match::Entry& entry : tables.entries)
    if (masked(key, tables.program.tuple(entry.tuple).mask) == entry.key &&
        (best == nullptr || entry.priority > best->priority))
      best = &entry;
  return best == nullptr ? std::nullopt : std::optional(best->action);
}

}  // namespace

TEST_CASE("a range becomes the fewest prefixes that it is made of", "[match]") {
  CHECK(text_of(mappings::prefixes_of({0, 15}, 4)) == "0/0");
  CHECK(text_of(mappings::prefixes_of({5, 5}, 4)) == "5/4");
  CHECK(text_of(mappings::prefixes_of({8, 15}, 4)) == "8/1");
  // The worst of 4 bits: 2 * 4 - 2.
  CHECK(text_of(mappings::prefixes_of({1, 14}, 4)) == "1/4 2/3 4/2 8/2 12/3 14/4");
  CHECK(text_of(mappings::prefixes_of({1024, 65535}, 16)) ==
        "1024/6 2048/5 4096/4 8192/3 16384/2 "
        "32768/1");
  const std::uint64_t all = ~std::uint64_t{0};
  CHECK(text_of(mappings::prefixes_of({0, all}, 64)) == "0/0");
  CHECK(mappings::prefixes_of({1, all}, 64).size() == 64);
  CHECK(text_of(mappings::prefixes_of({all, all}, 64)) == std::to_string(all) + "/64");
}

TEST_CASE("fields lie one after the other in a key, across the ends of words", "[match]") {
  const MatchKeyPacking packing(fields_of({{"a", 20}, {"b", 64}, {"c", 3}}));
  const auto key = packing.pack({0xabcde, 0x123456789abcdef0, 5});
  // b begins in bit 20 and ends with bit 83; c has bits 84 to 86.
  CHECK(key == isa::match::Key{0xef0abcde, 0x6789abcd, 0x00512345, 0, 0, 0});
}

TEST_CASE("the best entry of the tables is the first rule that matches, on random rules",
          "[match]") {
  const auto fields = fields_of({{"a", 9}, {"b", 30}, {"c", 4}, {"d", 40}});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    // Few values, so that rules hide and overlap one another.
    const auto range = [&random](unsigned bits) {
      const std::uint64_t most = workloads::max_value(bits);
      switch (random() % 4) {
        case 0: return Range{0, most};
        case 1: {
          const std::uint64_t value = random() % 8;
          return Range{value, value};
        }
        default: {
          const std::uint64_t low = random() % 8;
          return Range{low, low + random() % 8};
        }
      }
    };
    std::vector<std::vector<Range>> all;
    for (unsigned i = 0; i < 40; ++i)
      all.push_back({range(9), range(30), range(4), range(40)});
    const RuleSet rules = rules_of(fields, all);
    Diagnostics diagnostics;
    const auto tables =
        mappings::match_tables_of(rules, 100'000, mappings::SameKey::kHide, diagnostics);
    REQUIRE(tables);
    const MatchKeyPacking packing(fields);
    const workloads::LinearScanClassifier reference(rules);
    for (unsigned i = 0; i < 400; ++i) {
      const workloads::Key key{random() % 17, random() % 17, random() % 16, random() % 17};
      const auto expected = reference.classify(key);
      const auto found = best_of(*tables, packing.pack(key));
      CHECK(found == (expected ? std::optional(expected->value()) : std::nullopt));
    }
    // Tuples come by the priority of their best rule.
    const auto& order = tables->program.tables.front().tuples;
    CHECK(std::is_sorted(order.begin(), order.end(), [&](auto a, auto b) {
      return tables->program.tuple(a).best_priority > tables->program.tuple(b).best_priority;
    }));
  }
}

TEST_CASE("rules that do not fit a match unit are refused, at the rule", "[match]") {
  Diagnostics diagnostics;
  const RuleSet wide = rules_of(fields_of({{"a", 64}, {"b", 64}, {"c", 64}, {"d", 1}}), {});
  CHECK_FALSE(mappings::match_tables_of(wide, 100, mappings::SameKey::kHide, diagnostics));
  CHECK(diagnostics.to_string() ==
        "test: error: the fields have 193 bits together; a key of the match unit has 192\n");
  Diagnostics many;
  RuleSet ranges = rules_of(fields_of({{"a", 16}, {"b", 16}}), {{{1, 65'534}, {1, 65'534}}});
  CHECK_FALSE(
      mappings::match_tables_of(ranges, 899, mappings::SameKey::kHide, many));  // 30 prefixes each
  CHECK(many.to_string().find("more than 899 entries") != std::string::npos);
  CHECK(mappings::match_tables_of(ranges, 900, mappings::SameKey::kHide, many)->entries.size() ==
        900);
}

}  // namespace nplab::test
