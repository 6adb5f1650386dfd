#include "tests/workloads/test_inputs.h"

#include "workloads/base/random.h"
#include "workloads/rules/formats/rule_writer.h"
#include "workloads/rules/rule_pairs.h"
#include "workloads/rules/rule_statistics.h"

using namespace nplab;
using namespace nplab::workloads;
using nplab::workloads::testing::rules_from;

namespace {

// The definition, pair by pair.
RulePairs plain_pairs(const RuleSet& rules) {
  RulePairs pairs;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    bool covered = false;
    for (std::size_t j = 0; j < i; ++j) {
      bool overlap = true, cover = true;
      for (std::size_t field = 0; field < rules.fields().size(); ++field) {
        const Range a = rules.rules()[i].ranges[field], b = rules.rules()[j].ranges[field];
        overlap = overlap && a.low <= b.high && b.low <= a.high;
        cover = cover && b.low <= a.low && a.high <= b.high;
      }
      pairs.overlapping += overlap ? 1 : 0;
      covered = covered || cover;
    }
    pairs.covered += covered ? 1 : 0;
  }
  return pairs;
}

RuleSet random_wide_rules(std::uint64_t seed, std::size_t count,
                          const std::vector<unsigned>& widths) {
  Random random(seed);
  std::vector<FieldDefinition> fields;
  for (const unsigned bits : widths)
    fields.push_back({"f" + std::to_string(fields.size()), bits, MatchKind::kRange, {}});
  std::vector<Rule> rules(count);
  for (Rule& rule : rules) {
    for (const unsigned bits : widths) {
      const std::uint64_t a = random.in({0, max_value(bits)}), b = random.in({0, max_value(bits)});
      const Range choices[] = {
          {0, max_value(bits)}, {a, a | max_value(bits) >> 2}, {std::min(a, b), std::max(a, b)}};
      rule.ranges.push_back(choices[random.below(3)]);
    }
  }
  return {"random", "", std::move(fields), std::move(rules)};
}

}  // namespace

TEST_CASE("a rule set's statistics count its shapes, overlaps and intervals") {
  const auto statistics =
      statistics_of(rules_from("@10.0.0.0/8 0.0.0.0/0 0 : 65535 80 : 80 0x06/0xFF deny\n"
                               "@10.1.0.0/16 0.0.0.0/0 0 : 65535 1024 : 65535 0x06/0xFF\n"
                               "@10.1.2.0/24 0.0.0.0/0 0 : 65535 80 : 80 0x06/0xFF\n"
                               "@0.0.0.0/0 10.0.0.1/32 0 : 1023 5 : 9 0x00/0x00 forward:2\n"));
  CHECK(statistics.rules == 4);
  CHECK(statistics.actions ==
        std::map<std::string, std::size_t>{{"allow", 2}, {"deny", 1}, {"forward:2", 1}});
  REQUIRE(statistics.fields.size() == 5);
  CHECK(statistics.fields[0].distinct == 4);
  CHECK(statistics.fields[0].wildcards == 1);
  // 0 .. 10/8 .. 10.1/16 .. 10.1.2/24 .. behind it .. behind 10.1/16 .. behind 10/8
  CHECK(statistics.fields[0].intervals == 7);
  CHECK(statistics.fields[0].intervals_at_worst == 9);
  CHECK(statistics.fields[1].intervals == 3);
  CHECK(statistics.fields[3].intervals == 6);
  CHECK(statistics.overlapping_pairs == 1);
  CHECK(statistics.covered == 1);
  CHECK(statistics.tuples == 4);
  REQUIRE(statistics.five_tuple);
  CHECK(statistics.five_tuple->length_pairs ==
        std::map<TupleStatistics::LengthPair, std::size_t>{
            {{0, 32}, 1}, {{8, 0}, 1}, {{16, 0}, 1}, {{24, 0}, 1}});
  CHECK(statistics.five_tuple->source_ports ==
        std::map<PortClass, std::size_t>{{PortClass::kAny, 3}, {PortClass::kLow, 1}});
  CHECK(statistics.five_tuple->destination_ports ==
        std::map<PortClass, std::size_t>{
            {PortClass::kHigh, 1}, {PortClass::kRange, 1}, {PortClass::kExact, 2}});
  CHECK(statistics.five_tuple->protocols ==
        std::map<std::optional<unsigned>, std::size_t>{{std::nullopt, 1}, {6, 3}});
}

TEST_CASE("a field of few values has no more intervals than values") {
  const auto statistics = statistics_of(
      rules_from("fields: [{name: a, bits: 2}]\nrules: [{a: 0}, {a: 1}, {a: 2-3}]\n"));
  CHECK(statistics.fields[0].intervals == 3);
  CHECK(statistics.fields[0].intervals_at_worst == 4);
  CHECK_FALSE(statistics.five_tuple);
}

TEST_CASE("pairs of rules counted by groups are those compared one by one") {
  const std::vector<std::vector<unsigned>> shapes = {{8, 8}, {32, 32, 16, 16, 8}, {64, 3}, {4}};
  for (const std::size_t count : {1u, 2u, 511u, 512u, 513u, 1300u}) {
    for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
      const RuleSet rules = random_wide_rules(count + shape, count, shapes[shape]);
      double last = 0;
      const RulePairs pairs = compare_pairs(rules, [&](double done) { last = done; });
      const RulePairs expected = plain_pairs(rules);
      CAPTURE(count, shape);
      CHECK(pairs.overlapping == expected.overlapping);
      CHECK(pairs.covered == expected.covered);
      CHECK(last == 1.0);
    }
  }
}

TEST_CASE("statistics of ClassBench sets are those that were counted independently") {
  const auto folder = testing::shared_rulesets();
  if (!folder)
    return;
  struct Expected {
    const char* set;
    std::vector<std::size_t> distinct;
    std::size_t pairs;
    double overlaps;
    std::size_t covered;
  };
  const Expected sets[] = {
      {"acl1", {135, 314, 1, 94, 4}, 25, 2.86, 18}, {"acl3", {380, 315, 1, 135, 4}, 71, 2.14, 0},
      {"acl5", {187, 392, 1, 37, 4}, 30, 0.06, 2},  {"fw1", {126, 142, 13, 43, 5}, 22, 36.7, 16},
      {"fw3", {118, 81, 9, 38, 4}, 13, 41.3, 25},   {"ipc1", {229, 446, 25, 41, 6}, 80, 6.19, 0}};
  for (const Expected& expected : sets) {
    INFO(expected.set);
    Diagnostics diagnostics;
    const auto rules =
        read_rule_set(*folder + "/classbench/" + expected.set + "_1000.rules.xz", diagnostics);
    REQUIRE(rules);
    const auto statistics = statistics_of(*rules);
    std::vector<std::size_t> distinct;
    for (const auto& field : statistics.fields)
      distinct.push_back(field.distinct);
    CHECK(distinct == expected.distinct);
    CHECK(statistics.five_tuple->length_pairs.size() == expected.pairs);
    CHECK(static_cast<double>(statistics.overlapping_pairs) / static_cast<double>(rules->size()) ==
          Approx(expected.overlaps).epsilon(0.002).margin(0.005));
    CHECK(statistics.covered == expected.covered);
  }
}

TEST_CASE("a rule set written as ClassBench lines or YAML reads back as it was") {
  const RuleSet rules = rules_from(
      "@10.0.0.0/8 192.168.1.7/32 0 : 65535 80 : 80 0x06/0xFF deny\n"
      "@0.0.0.0/0 10.0.0.0/9 5 : 9 1024 : 65535 0x00/0x00 forward:3\n");
  Diagnostics diagnostics;
  const auto lines = classbench_text(rules, diagnostics);
  REQUIRE(lines);
  for (const RuleSet& read : {rules_from(*lines), rules_from(yaml_text(rules))}) {
    REQUIRE(read.size() == rules.size());
    for (std::size_t i = 0; i < rules.size(); ++i) {
      CHECK(read.rules()[i].ranges == rules.rules()[i].ranges);
      CHECK(read.rules()[i].action == rules.rules()[i].action);
    }
  }
}

TEST_CASE("YAML keeps names, fields and their places, ClassBench lines refuse other fields") {
  const RuleSet rules = rules_from(
      "fields:\n  - {name: ttl, bits: 8, match: exact, at: {byte: 22}}\n"
      "  - {name: tag, bits: 40, match: prefix}\n"
      "rules: [{name: \"it's\", ttl: 1, tag: 0x1000000000/8}, {tag: 7, action: deny}]\n");
  const RuleSet read = rules_from(yaml_text(rules));
  CHECK(read.rules()[0].name == "it's");
  CHECK(read.rules()[0].ranges == rules.rules()[0].ranges);
  CHECK(read.rules()[1].ranges == rules.rules()[1].ranges);
  CHECK(read.fields()[0].position == FramePosition{22, 0});
  CHECK(read.fields()[1].match == MatchKind::kPrefix);
  Diagnostics diagnostics;
  CHECK_FALSE(classbench_text(rules, diagnostics));
  CHECK(diagnostics.to_string().find("write other fields as YAML") != std::string::npos);
}

TEST_CASE("addresses that are not prefixes become several ClassBench lines") {
  const RuleSet rules = rules_from(
      "fields: [{name: destination_address, bits: 32}, {name: protocol, bits: 8}]\n"
      "rules: [{destination_address: 10.0.0.1-10.0.0.2, protocol: 6-7}]\n");
  Diagnostics diagnostics;
  CHECK(classbench_text(rules, diagnostics) ==
        "@0.0.0.0/0\t10.0.0.1/32\t0 : 65535\t0 : 65535\t0x06/0xFF\tallow\n"
        "@0.0.0.0/0\t10.0.0.1/32\t0 : 65535\t0 : 65535\t0x07/0xFF\tallow\n"
        "@0.0.0.0/0\t10.0.0.2/32\t0 : 65535\t0 : 65535\t0x06/0xFF\tallow\n"
        "@0.0.0.0/0\t10.0.0.2/32\t0 : 65535\t0 : 65535\t0x07/0xFF\tallow\n");
}
