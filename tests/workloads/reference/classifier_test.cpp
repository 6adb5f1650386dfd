#include "tests/workloads/test_inputs.h"

#include "workloads/base/random.h"
#include "workloads/reference/classifier.h"

using namespace nplab;
using namespace nplab::workloads;

namespace {

Range random_range(Random& random, unsigned bits) {
  const std::uint64_t a = random.in({0, max_value(bits)}), b = random.in({0, max_value(bits)});
  switch (random.below(4)) {
    case 0: return {0, max_value(bits)};
    case 1: return {a, a};
    case 2: return {0, b};
    default: return {std::min(a, b), std::max(a, b)};
  }
}

RuleSet random_rules(Random& random, std::size_t count, const std::vector<unsigned>& widths) {
  std::vector<FieldDefinition> fields;
  for (unsigned bits : widths)
    fields.push_back({"f" + std::to_string(fields.size()), bits, MatchKind::kRange, {}});
  std::vector<Rule> rules(count);
  for (Rule& rule : rules) {
    for (unsigned bits : widths)
      rule.ranges.push_back(random_range(random, bits));
  }
  return {"random", "", std::move(fields), std::move(rules)};
}

// A rule's corner, one step off it, or anything.
Key random_key(Random& random, const RuleSet& rules) {
  Key key;
  const Rule& near = rules.rules()[random.below(rules.size())];
  for (std::size_t i = 0; i < rules.fields().size(); ++i) {
    const std::uint64_t largest = max_value(rules.fields()[i].bits);
    const std::uint64_t corner = random.below(2) == 0 ? near.ranges[i].low : near.ranges[i].high;
    const std::uint64_t choices[] = {corner,
                                     corner,
                                     corner,
                                     (corner + 1) & largest,
                                     (corner - 1) & largest,
                                     random.in({0, largest})};
    key.push_back(choices[random.below(6)]);
  }
  return key;
}

}  // namespace

TEST_CASE(
    "the first of several matching rules decides, and a key outside every rule matches none") {
  const RuleSet rules =
      testing::rules_from("fields: [{name: a, bits: 8}]\nrules: [{a: 5-9}, {a: 3-7}, {a: 9-20}]\n");
  for (const std::uint64_t value : {0, 2, 3, 4, 5, 7, 8, 9, 10, 20, 21, 255}) {
    CAPTURE(value);
    std::optional<RuleIndex> expected;
    if (value >= 5 && value <= 9)
      expected = RuleIndex(0);
    else if (value >= 3 && value < 5)
      expected = RuleIndex(1);
    else if (value > 9 && value <= 20)
      expected = RuleIndex(2);
    CHECK(LinearScanClassifier(rules).classify({value}) == expected);
    CHECK(ReferenceClassifier(rules).classify({value}) == expected);
  }
}

TEST_CASE("the reference classifier answers random rule sets of many shapes as a plain scan does") {
  const std::vector<std::vector<unsigned>> shapes = {
      {1},
      {4, 4, 4},
      {32, 32, 16, 16, 8},
      {64, 64},
      {32, 64, 48, 48, 16, 12, 3, 20, 3, 32, 32, 8, 6, 16, 16}};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    const auto& shape = shapes[seed % shapes.size()];
    const RuleSet rules = random_rules(random, 1 + random.below(200), shape);
    const LinearScanClassifier scan(rules);
    const ReferenceClassifier reference(rules);
    REQUIRE_FALSE(reference.scans());
    for (int i = 0; i < 500; ++i) {
      const Key key = random_key(random, rules);
      CAPTURE(seed, key);
      REQUIRE(reference.classify(key) == scan.classify(key));
    }
  }
}

TEST_CASE("rules that begin and end at the same value keep apart") {
  const RuleSet rules = testing::rules_from(
      "fields: [{name: a, bits: 4}]\nrules: [{a: 3-5}, {a: 6-9}, {a: 5-6}, {a: 3-5}]\n");
  const ReferenceClassifier reference(rules);
  const LinearScanClassifier scan(rules);
  for (std::uint64_t value = 0; value < 16; ++value)
    CHECK(reference.classify({value}) == scan.classify({value}));
}

TEST_CASE("the ends of a 64-bit field are values like any other") {
  const RuleSet rules = testing::rules_from(
      "fields: [{name: a, bits: 64}]\nrules: [{a: 0xFFFFFFFFFFFFFFFF}, {a: 0}, {a: "
      "1-0xFFFFFFFFFFFFFFFE}]\n");
  const ReferenceClassifier reference(rules);
  CHECK(reference.classify({~std::uint64_t{0}}) == RuleIndex(0));
  CHECK(reference.classify({0}) == RuleIndex(1));
  CHECK(reference.classify({~std::uint64_t{0} - 1}) == RuleIndex(2));
}

TEST_CASE(
    "a rule set whose bit vectors exceed the memory limit is scanned, with the same answers") {
  Random random(1);
  const RuleSet rules = random_rules(random, 100, {32, 32});
  const ReferenceClassifier limited(rules, 1000), unlimited(rules);
  CHECK(limited.scans());
  CHECK_FALSE(unlimited.scans());
  for (int i = 0; i < 1000; ++i) {
    const Key key = random_key(random, rules);
    REQUIRE(limited.classify(key) == unlimited.classify(key));
  }
}
