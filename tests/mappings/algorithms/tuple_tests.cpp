// Tuple space search and TupleMerge: which hash tables a rule set makes.
#include <catch2/catch.hpp>
#include <set>

#include "mappings/tuple-merge/merge.h"
#include "mappings/tuple-space-search/tuple_tables.h"
#include "tests/mappings/fixtures.h"
#include "tests/shared_collection.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;
using tuple_space::HashTable;
using tuple_space::Tuple;

namespace {

// A prefix of an address: its first `length` bits are those of a.b.c.0.
workloads::Range prefix(unsigned a, unsigned b, unsigned c, unsigned length) {
  const std::uint64_t low = std::uint64_t{a} << 24 | b << 16 | c << 8;
  return {low, low | ((std::uint64_t{1} << (32 - length)) - 1)};
}

constexpr workloads::Range kAnyAddress{0, 0xffffffff};
constexpr workloads::Range kAnyPort{0, 65535};
constexpr workloads::Range kTcp{6, 6};

workloads::RuleSet five_tuple_rules(const std::vector<std::vector<workloads::Range>>& ranges) {
  std::vector<workloads::Rule> rules;
  for (const auto& one : ranges) {
    workloads::Rule rule;
    rule.ranges = one;
    rules.push_back(rule);
  }
  return {"", "", workloads::five_tuple_fields(), rules};
}

// (160.80.73.*, *, TCP, 80, *), (160.80.73.*, *, TCP, *, *), (137.194.47.*, *, TCP, *, *), (*, *,
// TCP, 22, *).
workloads::RuleSet four_rules() {
  const auto first = prefix(160, 80, 73, 24);
  return five_tuple_rules({{first, kAnyAddress, {80, 80}, kAnyPort, kTcp},
                           {first, kAnyAddress, kAnyPort, kAnyPort, kTcp},
                           {prefix(137, 194, 47, 24), kAnyAddress, kAnyPort, kAnyPort, kTcp},
                           {kAnyAddress, kAnyAddress, {22, 22}, kAnyPort, kTcp}});
}

// Every rule lies once, in a table whose tuple is no longer than its own.
void check_tables(const workloads::RuleSet& rules, const std::vector<HashTable>& tables) {
  std::set<std::uint32_t> seen;
  for (const HashTable& table : tables) {
    CHECK(std::is_sorted(table.rules.begin(), table.rules.end()));
    for (const std::uint32_t rule : table.rules) {
      CHECK(tuple_space::covers(table.tuple, tuple_space::tuple_of(rules, rule)));
      CHECK(seen.insert(rule).second);
    }
  }
  CHECK(seen.size() == rules.size());
}

}  // namespace

TEST_CASE(
    "a tuple is the length of a prefix, and of any other range that of the least prefix around "
    "it") {
  const auto rules =
      five_tuple_rules({{prefix(10, 0, 0, 8), kAnyAddress, {80, 80}, {1024, 65535}, {6, 7}}});
  CHECK(tuple_space::tuple_of(rules, 0) == Tuple{8, 0, 16, 0, 7});
  CHECK(tuple_space::mask_of(32, 8) == 0xff000000);
  CHECK(tuple_space::mask_of(8, 7) == 0xfe);
  CHECK(tuple_space::mask_of(32, 32) == 0xffffffff);
  CHECK(tuple_space::mask_of(16, 0) == 0);
}

TEST_CASE(
    "the four rules of the literature's example make three tables of tuple space search, two of "
    "TupleMerge") {
  const auto rules = four_rules();
  const auto by_tuple = tuple_space::tables_by_tuple(rules);
  REQUIRE(by_tuple.size() == 3);
  CHECK(by_tuple[0].tuple == Tuple{24, 0, 16, 0, 8});
  CHECK(by_tuple[1].tuple == Tuple{24, 0, 0, 0, 8});
  CHECK(by_tuple[1].rules == std::vector<std::uint32_t>{1, 2});
  CHECK(by_tuple[2].tuple == Tuple{0, 0, 16, 0, 8});
  const auto merged = tuple_merge::merge_tables(rules, 8);
  REQUIRE(merged.size() == 2);
  CHECK(merged[0].tuple == Tuple{24, 0, 0, 0, 0});
  CHECK(merged[0].rules == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(merged[1].tuple == Tuple{0, 0, 16, 0, 8});
}

TEST_CASE(
    "one rule of a key more than the collision limit makes a table that tells the rules apart") {
  const auto first = prefix(160, 80, 73, 24);
  const auto rules = five_tuple_rules({{first, kAnyAddress, {80, 80}, kAnyPort, kTcp},
                                       {first, kAnyAddress, {81, 81}, kAnyPort, kTcp},
                                       {first, kAnyAddress, {82, 82}, kAnyPort, kTcp}});
  CHECK(tuple_merge::merge_tables(rules, 3).size() == 1);
  const auto split = tuple_merge::merge_tables(rules, 2);
  check_tables(rules, split);
  REQUIRE(split.size() == 1);
  CHECK(split[0].tuple == Tuple{24, 0, 16, 0, 8});
}

TEST_CASE("every rule of random sets lies in one table that can hold it, at any collision limit") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto rules = random_rules(seed, 300, {32, 32, 16, 16, 8});
    check_tables(rules, tuple_space::tables_by_tuple(rules));
    for (const std::size_t limit : {1, 4, 255})
      check_tables(rules, tuple_merge::merge_tables(rules, limit));
  }
}

TEST_CASE("TupleMerge needs fewer tables than tuple space search on every ClassBench set") {
  for (const char* set :
       {"acl1_100", "acl3_500", "acl5_1000", "fw1_1000", "fw3_500", "ipc1_500", "acl1_5000"}) {
    const std::string path = shared_file(std::string("classbench/") + set + ".rules.xz");
    if (path.empty())
      return;
    Diagnostics diagnostics;
    const auto rules = workloads::read_rule_set(path, diagnostics);
    REQUIRE(rules);
    const auto merged = tuple_merge::merge_tables(*rules, 8);
    check_tables(*rules, merged);
    INFO(set);
    CHECK(merged.size() < tuple_space::tables_by_tuple(*rules).size());
  }
}

namespace {

// The tuples of a set whose rules with ports have an entry for later fragments besides: addresses,
// protocol and the bit that says so, without ports.
std::size_t tuples_with_fragments(const workloads::RuleSet& rules) {
  std::set<Tuple> tuples;
  for (std::uint32_t rule = 0; rule < rules.size(); ++rule) {
    Tuple tuple = tuple_space::tuple_of(rules, rule);
    const bool names_ports =
        !(rules.rules()[rule].ranges[2] == kAnyPort && rules.rules()[rule].ranges[3] == kAnyPort);
    tuple.push_back(1);
    tuples.insert(tuple);
    if (!names_ports)
      continue;
    tuple[2] = tuple[3] = 0;
    tuples.insert(tuple);
  }
  return tuples.size();
}

}  // namespace

TEST_CASE("entries for later fragments at most double the hash tables of tuple space search") {
  // A rule of three fields, the same with ports, and one with other ports.
  const auto rules =
      five_tuple_rules({{prefix(10, 0, 0, 8), kAnyAddress, kAnyPort, {80, 80}, kTcp},
                        {prefix(10, 0, 0, 8), kAnyAddress, kAnyPort, {53, 53}, kTcp},
                        {prefix(10, 0, 0, 8), kAnyAddress, {1024, 2047}, kAnyPort, kTcp},
                        {prefix(10, 0, 0, 8), kAnyAddress, kAnyPort, kAnyPort, kTcp}});
  CHECK(tuple_space::tables_by_tuple(rules).size() == 3);
  CHECK(tuples_with_fragments(rules) == 3);

  const auto path = GENERATE(values<std::string>(
      {"acl1_1000", "acl3_1000", "acl5_1000", "fw1_1000", "fw3_1000", "ipc1_1000"}));
  Diagnostics diagnostics;
  const std::string file = shared_file("classbench/" + path + ".rules.xz");
  if (file.empty())
    return;
  const auto shared = workloads::read_rule_set(file, diagnostics);
  REQUIRE(shared);
  const std::size_t before = tuple_space::tables_by_tuple(*shared).size();
  const std::size_t after = tuples_with_fragments(*shared);
  CAPTURE(path, before, after);
  CHECK(after >= before);
  CHECK(after <= 2 * before);
  UNSCOPED_INFO(path << ": " << before << " tables, " << after << " with fragments");
}
