// Generated rules of any fields: how many different values each field has.
#include "tests/paths.h"
#include "tests/workloads/test_inputs.h"

#include <cmath>
#include <set>

#include "workloads/packets/key_layout.h"
#include "workloads/reference/classifier.h"
#include "workloads/rules/field_profile.h"
#include "workloads/traffic/generator.h"

using namespace nplab;
using namespace nplab::workloads;
using nplab::workloads::testing::input;

namespace {

FieldProfile openflow() {
  Diagnostics diagnostics;
  const auto file = read_input_file(source_path("workloads/profiles/openflow.yaml"), diagnostics);
  REQUIRE(file);
  REQUIRE(is_field_profile(*file));
  auto profile = parse_field_profile(*file, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(profile);
  return std::move(*profile);
}

std::size_t different_values(const RuleSet& rules, std::size_t field) {
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (const Rule& rule : rules.rules())
    seen.emplace(rule.ranges[field].low, rule.ranges[field].high);
  return seen.size();
}

}  // namespace

TEST_CASE("generated OpenFlow rules have the printed share of unique values in every field") {
  // Shares of 1,000 rules as printed; a field has at most as many values as its bits allow.
  const std::vector<std::size_t> expected = {20, 20,  250, 250, 10, 200, 8,  20,
                                             8,  250, 250, 20,  64, 100, 100};
  const auto rules = generate_field_rules(openflow(), 1000, 1, 0);
  REQUIRE(rules);
  REQUIRE(rules->fields().size() == expected.size());
  CHECK(bits_together(rules->fields()) == 356);
  for (std::size_t field = 0; field < expected.size(); ++field) {
    INFO(rules->fields()[field].name);
    CHECK(different_values(*rules, field) == expected[field]);
  }
}

TEST_CASE(
    "generated rules of fields are different, match as their fields do, and follow the seed") {
  for (const double wildcards : {0.0, 0.5}) {
    const auto rules = generate_field_rules(openflow(), 300, 7, wildcards);
    REQUIRE(rules);
    const auto again = generate_field_rules(openflow(), 300, 7, wildcards);
    const auto other = generate_field_rules(openflow(), 300, 8, wildcards);
    std::set<std::vector<std::pair<std::uint64_t, std::uint64_t>>> seen;
    std::size_t any = 0, values = 0, equal = 0;
    for (std::size_t i = 0; i < rules->size(); ++i) {
      const auto& ranges = rules->rules()[i].ranges;
      std::vector<std::pair<std::uint64_t, std::uint64_t>> ends;
      for (std::size_t f = 0; f < ranges.size(); ++f) {
        const FieldDefinition& field = rules->fields()[f];
        ends.emplace_back(ranges[f].low, ranges[f].high);
        ++values;
        if (ranges[f] == any_value(field)) {
          ++any;
          continue;
        }
        if (field.match == MatchKind::kExact)
          CHECK(ranges[f].low == ranges[f].high);
        if (field.match == MatchKind::kPrefix)
          CHECK(prefix_length(ranges[f], field.bits).value_or(0) >= 16);
      }
      CHECK(seen.insert(ends).second);
      CHECK(ranges == again->rules()[i].ranges);
      equal += ranges == other->rules()[i].ranges ? 1 : 0;
    }
    CHECK(equal == 0);
    CHECK(std::abs(static_cast<double>(any) / static_cast<double>(values) - wildcards) < 0.03);
  }
}

TEST_CASE(
    "traffic drawn from generated OpenFlow rules matches them, uniform traffic matches none") {
  const auto rules = generate_field_rules(openflow(), 200, 1, 0);
  REQUIRE(rules);
  Diagnostics diagnostics;
  const auto layout = make_key_layout(KeyVariant::kFixed, rules->fields(), {}, diagnostics);
  REQUIRE(layout);
  const ReferenceClassifier classifier(*rules);
  for (const double hit : {0.0, 1.0}) {
    GeneratorSpec spec;
    spec.hit = hit;
    spec.count = 500;
    const auto traffic =
        generate(spec, *rules, *layout, L4Key::kAlways, 64, 1).with_keys(*layout, L4Key::kAlways);
    std::size_t matched = 0;
    for (const Packet& packet : traffic.packets())
      matched += classifier.classify(*packet.key) ? 1 : 0;
    CHECK(matched == (hit > 0 ? 500 : 0));
  }
}

TEST_CASE("few rules, and more rules than a profile has, are drawn or refused") {
  const FieldProfile profile{
      "two",
      {{{"a", 1, MatchKind::kExact, {}}, 1, 1, 1}, {{"b", 2, MatchKind::kExact, {}}, 1, 1, 1}}};
  const auto all = generate_field_rules(profile, 8, 1, 0);
  REQUIRE(all);
  CHECK(all->size() == 8);
  CHECK_FALSE(generate_field_rules(profile, 9, 1, 0));
  CHECK(generate_field_rules(openflow(), 1, 1, 0)->size() == 1);
}

TEST_CASE("what is wrong in a profile of fields is reported at its place") {
  Diagnostics diagnostics;
  CHECK_FALSE(parse_field_profile(
      input("profile: p\nsource: s\nfields:\n"
            "  - {name: a, bits: 8, match: exact, unique: 2}\n"
            "  - {name: b, bits: 8, match: prefix, unique: 0.5, least: 4, most: 9}\n"),
      diagnostics));
  CHECK(diagnostics.to_string() ==
        "in:4:46: error: unique: expected a share of 0 to 1, found 2\n"
        "in:5:5: error: least 4 and most 9: expected 1 <= least <= most <= 8 for field 'b' of 8 "
        "bits\n");
}
