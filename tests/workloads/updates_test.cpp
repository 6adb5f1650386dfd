// Updates of rules: drawn, read from a file, and the reference classifier of a rule set that
// changes.
#include <catch2/catch.hpp>

#include <set>

#include "tests/workloads/test_inputs.h"
#include "workloads/base/random.h"
#include "workloads/updates/updates.h"
#include "workloads/updates/versioned_reference.h"

namespace nplab::workloads {
namespace {

using Catch::Contains;
using testing::input;

constexpr std::uint64_t kCoreHz = 100'000'000;

RuleSet two_field_rules(std::size_t count, Random& random) {
  const std::vector<FieldDefinition> fields = {{"x", 4, MatchKind::kRange, {}},
                                               {"y", 4, MatchKind::kRange, {}}};
  std::vector<Rule> rules;
  for (std::size_t i = 0; i < count; ++i) {
    Rule rule;
    for (int f = 0; f < 2; ++f) {
      const std::uint64_t low = random.below(16);
      rule.ranges.push_back({low, low + random.below(16 - low)});
    }
    rules.push_back(rule);
  }
  return {"in", "", fields, rules};
}

RuleUpdates generated(const std::string& spec, const RuleSet& rules, std::uint64_t seed = 1) {
  Diagnostics diagnostics;
  auto updates =
      generate_updates(spec, rules, seed, kCoreHz, without_lines("--updates"), diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(updates);
  return std::move(*updates);
}

std::string errors_of_updates(const std::string& text, const RuleSet& rules) {
  Diagnostics diagnostics;
  const bool is_spec = is_update_spec(text);
  if (is_spec)
    CHECK_FALSE(generate_updates(text, rules, 1, kCoreHz, without_lines("--updates"), diagnostics));
  else
    CHECK_FALSE(parse_updates(input(text), rules, diagnostics));
  return diagnostics.to_string();
}

RuleUpdates parsed(const std::string& text, const RuleSet& rules) {
  Diagnostics diagnostics;
  auto updates = parse_updates(input(text), rules, diagnostics);
  INFO(diagnostics.to_string());
  REQUIRE(updates);
  return std::move(*updates);
}

// Every update inserts an absent rule or deletes one in force.
void check_order(const RuleUpdates& updates) {
  std::vector<bool> present = updates.at_start;
  std::uint64_t before = 0;
  std::size_t now = 0, most = 0;
  for (const bool one : present)
    now += one;
  most = now;
  for (const RuleUpdate& update : updates.updates) {
    const bool inserts = update.kind == RuleUpdate::Kind::kInsert;
    CHECK(present[update.rule.value()] != inserts);
    CHECK(updates.changing[update.rule.value()]);
    present[update.rule.value()] = inserts;
    now += inserts ? 1 : -1;
    most = std::max(most, now);
    CHECK(update.due >= before);
    before = update.due;
  }
  CHECK(updates.most_in_force == most);
}

}  // namespace

TEST_CASE(
    "Drawn updates insert an absent rule and delete one in force, in turn, as their seed has it") {
  Random random(1);
  const RuleSet rules = two_field_rules(50, random);
  const RuleUpdates updates = generated("gen:count=400,absent=0.3,rate=1000000,start=70", rules);
  REQUIRE(updates.updates.size() == 400);
  CHECK(std::count(updates.at_start.begin(), updates.at_start.end(), false) == 15);
  check_order(updates);
  for (std::size_t i = 0; i < 400; ++i) {
    CHECK(updates.updates[i].due == 70 + 100 * i);
    CHECK((updates.updates[i].kind == RuleUpdate::Kind::kInsert) == (i % 2 == 0));
  }
  const auto same = generated("gen:count=400,absent=0.3,rate=1000000,start=70", rules);
  const auto other = generated("gen:count=400,absent=0.3,rate=1000000,start=70", rules, 2);
  CHECK(same.at_start == updates.at_start);
  CHECK(other.at_start != updates.at_start);
}

TEST_CASE("Some rule is absent and some in force whatever the share") {
  Random random(1);
  const RuleSet rules = two_field_rules(2, random);
  check_order(generated("gen:absent=0,count=10", rules));
  check_order(generated("gen:absent=1,count=10", rules));
}

TEST_CASE("What is wrong with a SPEC of updates is said at its place") {
  Random random(1);
  const RuleSet rules = two_field_rules(2, random);
  CHECK_THAT(errors_of_updates("gen:rat=5", rules),
             Contains("--updates: error: unknown key 'rat'") && Contains("rate"));
  CHECK_THAT(errors_of_updates("gen:count=5,fast", rules),
             Contains("--updates: error: expected KEY=VALUE in the updates' SPEC, found 'fast'"));
  CHECK_THAT(errors_of_updates("gen:count=0", rules),
             Contains("--updates: error: expected a number of 1 to"));
  CHECK_THAT(errors_of_updates("gen:absent=2", rules), Contains("a share of 0 to 1"));
  CHECK_THAT(errors_of_updates("gen:count=10", two_field_rules(1, random)),
             Contains("at least 2 rules"));
}

TEST_CASE("A file's new rules take their places among those of the set") {
  Random random(1);
  const RuleSet rules = two_field_rules(3, random);
  const RuleUpdates updates = parsed(
      "# cycle, what, rule\n"
      "100 insert first before 0 3 4-5 deny\n"
      "100 delete 1\n"
      "250 insert last before 3 * 0xf forward:2\n"
      "300 insert 2\n"
      "400 delete first\n",
      rules);
  check_order(updates);
  REQUIRE(updates.rules.size() == 5);
  CHECK(updates.rules.rules()[0].name == "first");
  CHECK(updates.rules.rules()[0].ranges == std::vector<Range>{{3, 3}, {4, 5}});
  CHECK(updates.rules.rules()[0].action == Action::deny());
  CHECK(updates.rules.rules()[1].ranges == rules.rules()[0].ranges);
  CHECK(updates.rules.rules()[4].action == Action::forward(2));
  CHECK(updates.at_start == std::vector<bool>{false, true, true, false, false});
  CHECK(updates.changing == std::vector<bool>{true, false, true, true, true});
  REQUIRE(updates.updates.size() == 5);
  CHECK(updates.updates[1].rule == RuleIndex(2));
  CHECK(updates.updates[1].due == 100);
  CHECK(updates.updates[3].rule == RuleIndex(3));
  CHECK(updates.updates[4].kind == RuleUpdate::Kind::kDelete);
}

TEST_CASE("All errors of a file of updates are reported at once, each at its line and column") {
  Random random(1);
  const RuleSet rules = two_field_rules(3, random);
  const std::string errors = errors_of_updates(
      "x delete 1\n"
      "50 remove 1\n"
      "60 delete 7\n"
      "60 delete nobody\n"
      "60 delete 1\n"
      "60 delete 1\n"
      "40 insert 1\n"
      "70 insert a before 9 1 1\n"
      "70 insert a before 1 1 99\n"
      "70 insert a before 1 1\n"
      "70 insert 1 before 1 1 1\n"
      "70 insert a before 1 1 1 maybe\n"
      "80 delete 0 0\n",
      rules);
  for (const char* one :
       {"in:1:1: error: expected a cycle, found 'x'", "in:2:4: error: an update is",
        "in:3:11: error: there is no rule 7", "in:4:11: error: no rule is named 'nobody' yet",
        "in:6:11: error: rule 1 is not in force", "in:7:1: error: cycle 40 is before",
        "in:8:20: error: expected a rule from 0 to 3", "in:9:24: error:",
        "in:10:22: error: expected 2 values", "in:11:11: error: '1' cannot name a new rule",
        "in:12:26: error: unknown action 'maybe'", "in:13:13: error: unexpected '0'"}) {
    CHECK_THAT(errors, Contains(one));
  }
}

TEST_CASE(
    "The reference of a changing rule set allows what a scan of some set in force says, and "
    "nothing else") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const RuleSet rules = two_field_rules(12, random);
    std::vector<Packet> packets(40);
    for (Packet& packet : packets)
      packet.key = Key{random.below(16), random.below(16)};
    packets.back().key.reset();
    const Traffic traffic(TrafficKind::kKeyTrace, "t", "", packets);
    const auto updates = generated("gen:count=60,absent=0.4,rate=max", rules, seed);
    VersionedReference reference(rules, traffic, updates.at_start, updates.changing);
    // The rule set from each time on; some changes come at the same time.
    std::vector<std::pair<std::uint64_t, std::vector<bool>>> versions = {{0, updates.at_start}};
    std::uint64_t now = 0;
    for (const RuleUpdate& update : updates.updates) {
      now += random.below(3);
      std::vector<bool> next = versions.back().second;
      next[update.rule.value()] = !next[update.rule.value()];
      if (versions.back().first == now)
        versions.back().second = next;
      else
        versions.emplace_back(now, next);
      reference.change(update.rule, now);
    }
    const auto scan = [&](const std::vector<bool>& present,
                          const Packet& packet) -> std::optional<RuleIndex> {
      for (std::uint32_t rule = 0; packet.key && rule < rules.size(); ++rule) {
        const auto& ranges = rules.rules()[rule].ranges;
        const bool matches =
            ranges[0].contains((*packet.key)[0]) && ranges[1].contains((*packet.key)[1]);
        if (present[rule] && matches)
          return RuleIndex(rule);
      }
      return std::nullopt;
    };
    for (int i = 0; i < 400; ++i) {
      const std::size_t packet = random.below(packets.size());
      const std::uint64_t from = random.below(now), to = from + random.below(10);
      std::vector<std::optional<RuleIndex>> allowed;
      for (std::size_t v = 0; v < versions.size(); ++v) {
        const bool ends_before = v + 1 < versions.size() && versions[v + 1].first <= from;
        if (!ends_before && versions[v].first <= to)
          allowed.push_back(scan(versions[v].second, packets[packet]));
      }
      for (std::uint32_t rule = 0; rule <= rules.size(); ++rule) {
        const auto answer = rule < rules.size() ? std::optional(RuleIndex(rule)) : std::nullopt;
        const auto judgement = reference.judge(packet, answer, from, to);
        const bool is_allowed = std::find(allowed.begin(), allowed.end(), answer) != allowed.end();
        const bool all_same = std::all_of(allowed.begin(), allowed.end(),
                                          [&](const auto& one) { return one == allowed[0]; });
        if (judgement.is_right != is_allowed || judgement.is_contested == all_same) {
          FAIL("seed " << seed << ", packet " << packet << ", " << from << " to " << to << ", rule "
                       << rule);
        }
      }
    }
  }
}

TEST_CASE(
    "A rule that comes or goes at an unknown time between two allows what either set in force "
    "says") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    const RuleSet rules = two_field_rules(12, random);
    std::vector<Packet> packets(20);
    for (Packet& packet : packets)
      packet.key = Key{random.below(16), random.below(16)};
    const Traffic traffic(TrafficKind::kKeyTrace, "t", "", packets);
    const auto updates = generated("gen:count=40,absent=0.4,rate=max", rules, seed);
    VersionedReference reference(rules, traffic, updates.at_start, updates.changing);
    struct Version {
      std::uint64_t from, to;  // it came into force at a time between these
      std::vector<bool> present;
    };
    std::vector<Version> versions{{0, 0, updates.at_start}};
    std::uint64_t now = 0;
    for (const RuleUpdate& update : updates.updates) {
      Version next = versions.back();
      next.from = now += 1 + random.below(4);
      next.to = now += random.below(6);
      next.present[update.rule.value()] = !next.present[update.rule.value()];
      reference.begin_change(update.rule, next.from);
      reference.end_change(update.rule, next.to);
      versions.push_back(next);
    }
    for (int i = 0; i < 300; ++i) {
      const std::size_t packet = random.below(packets.size());
      const std::uint64_t from = random.below(now), to = from + random.below(8);
      std::set<std::uint32_t> allowed;  // the number of rules: none
      for (std::size_t v = 0; v < versions.size(); ++v) {
        if (versions[v].from > to || (v + 1 < versions.size() && versions[v + 1].to <= from))
          continue;
        std::uint32_t first = 0;
        while (first < rules.size() &&
               !(versions[v].present[first] &&
                 rules.rules()[first].ranges[0].contains((*packets[packet].key)[0]) &&
                 rules.rules()[first].ranges[1].contains((*packets[packet].key)[1])))
          ++first;
        allowed.insert(first);
      }
      for (std::uint32_t rule = 0; rule <= rules.size(); ++rule) {
        const auto answer = rule < rules.size() ? std::optional(RuleIndex(rule)) : std::nullopt;
        const auto judgement = reference.judge(packet, answer, from, to);
        INFO("seed " << seed << ", packet " << packet << ", " << from << " to " << to << ", rule "
                     << rule);
        REQUIRE(judgement.is_right == allowed.contains(rule));
        REQUIRE(judgement.is_contested == (allowed.size() > 1));
      }
    }
  }
}

TEST_CASE("A rule whose change has begun and not ended allows both answers") {
  Random random(3);
  const RuleSet rules = two_field_rules(4, random);
  Packet packet;
  packet.key = Key{rules.rules()[0].ranges[0].low, rules.rules()[0].ranges[1].low};
  const Traffic traffic(TrafficKind::kKeyTrace, "t", "", {packet});
  VersionedReference reference(rules, traffic, {true, false, false, false},
                               {true, false, false, false});
  reference.begin_change(RuleIndex(0), 10);
  CHECK_FALSE(reference.judge(0, std::nullopt, 5, 9).is_right);
  CHECK(reference.judge(0, std::nullopt, 5, 10).is_right);
  CHECK(reference.judge(0, RuleIndex(0), 30, 40).is_right);
  CHECK(reference.answer_at(0, 30) == RuleIndex(0));
  reference.end_change(RuleIndex(0), 35);
  CHECK(reference.judge(0, RuleIndex(0), 34, 40).is_right);
  CHECK_FALSE(reference.judge(0, RuleIndex(0), 35, 40).is_right);
  CHECK(reference.answer_at(0, 35) == std::nullopt);
}

TEST_CASE("All rules that match a key are those that a scan finds, in their order") {
  Random random(5);
  const RuleSet rules = two_field_rules(150, random);
  const ReferenceClassifier fast(rules);
  const ReferenceClassifier slow(rules, 0);
  REQUIRE(slow.scans());
  REQUIRE_FALSE(fast.scans());
  for (std::uint64_t x = 0; x < 16; ++x) {
    for (std::uint64_t y = 0; y < 16; ++y) {
      const auto found = fast.all_matches({x, y});
      CHECK(found == slow.all_matches({x, y}));
      CHECK((found.empty() ? std::nullopt : std::optional(found.front())) == fast.classify({x, y}));
    }
  }
}

}  // namespace nplab::workloads
