// Which requests of the match unit's service port put rules in and take them out, carried out on a
// table by key.
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "mappings/match-unit/match_rules.h"

namespace nplab::mappings {
namespace {

using isa::match::Entry;
using isa::match::Key;
using isa::match::ServiceCommand;

constexpr TablePlace kMailboxes{isa::MemorySpace::kSram, 0x1000};
constexpr std::uint32_t kPort = 0x1000 + isa::match::kService;

// What the unit would have, by key: the rule.
class ServicePort {
 public:
  void run(const TableChange& change) {
    REQUIRE(change.preparation.size() == 1);
    write(change.preparation[0]);
    write(change.link);
    for (const auto& reference : change.completion) {
      if (const auto* written = std::get_if<TableWrite>(&reference))
        write(*written);
      else
        read(std::get<TableRead>(reference));
    }
    CHECK_FALSE(is_pending_);
  }
  void read_counters(const CounterRead& counters, std::uint32_t rule) {
    REQUIRE(counters.request.size() == 2);
    for (const TableWrite& one : counters.request)
      write(one);
    CHECK(counters.request[1].longwords[0] >> 16 ==
          static_cast<std::uint16_t>(ServiceCommand::kRead));
    CHECK(rules.at(key_) == rule);
    read(counters.outcome);
    CHECK(counters.counters.address == kPort + isa::match::kServiceState);
  }
  std::map<Key, std::uint32_t> rules;

 private:
  void write(const TableWrite& write) {
    CHECK_FALSE(is_pending_);
    if (write.address == kPort + isa::match::kServiceRule) {
      REQUIRE(write.longwords.size() == isa::match::kKeyWords + 2);
      std::copy_n(write.longwords.begin(), isa::match::kKeyWords, key_.begin());
      rule_ = write.longwords[isa::match::kKeyWords];
      return;
    }
    REQUIRE(write.address == kPort + isa::match::kServiceCommand);
    REQUIRE(write.longwords.size() == 1);
    CHECK((write.longwords[0] & 0xffff) == 1);
    is_pending_ = true;
    switch (static_cast<ServiceCommand>(write.longwords[0] >> 16)) {
      case ServiceCommand::kInsert: CHECK(rules.emplace(key_, rule_).second); break;
      case ServiceCommand::kReplace:
        CHECK(rules.contains(key_));
        rules[key_] = rule_;
        break;
      case ServiceCommand::kErase: CHECK(rules.erase(key_) == 1); break;
      case ServiceCommand::kRead: break;
    }
  }
  void read(const TableRead& read) {
    CHECK(read.address == kPort + isa::match::kServiceOutcome);
    CHECK(is_pending_);
    is_pending_ = false;
  }

  Key key_{};
  std::uint32_t rule_ = 0;
  bool is_pending_ = false;
};

}  // namespace

TEST_CASE("after every update the match unit has the best rule in force of every key") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    INFO("seed " << seed);
    std::mt19937_64 random(seed);
    constexpr std::uint32_t kRules = 12;
    // Each rule has some of eight keys.
    std::vector<std::vector<Entry>> entries(kRules);
    for (std::uint32_t rule = 0; rule < kRules; ++rule) {
      for (std::uint32_t key = random() % 8; key < 8; key += 1 + random() % 4) {
        Entry& entry = entries[rule].emplace_back();
        entry.key = {key};
        entry.tuple = 1;
        entry.action = rule;
        entry.priority = kRules - rule;
      }
    }
    std::set<std::uint32_t> in_force;
    MatchRules rules(entries, kMailboxes);
    ServicePort unit;
    for (std::uint32_t rule = 0; rule < kRules; rule += 2) {
      rules.put_in(rule);
      in_force.insert(rule);
    }
    for (const Entry& entry : rules.entries_in_force())
      CHECK(unit.rules.emplace(entry.key, entry.action).second);
    for (int update = 0; update <= 200; ++update) {
      // A rule's counters are where the unit has it.
      for (std::uint32_t rule = 0; rule < kRules; ++rule) {
        const std::vector<CounterRead> reads = rules.counters(rule);
        CHECK(reads.size() == static_cast<std::size_t>(std::count_if(
                                  unit.rules.begin(), unit.rules.end(),
                                  [rule](const auto& one) { return one.second == rule; })));
        for (const CounterRead& read : reads)
          unit.read_counters(read, rule);
      }
      std::map<Key, std::uint32_t> best;
      for (const std::uint32_t rule : in_force)
        for (const Entry& entry : entries[rule])
          best.emplace(entry.key, rule);  // the first, which is the best, stays
      REQUIRE(unit.rules == best);
      const auto rule = static_cast<std::uint32_t>(random() % kRules);
      if (in_force.erase(rule) == 1) {
        unit.run(rules.erase(rule));
      } else {
        in_force.insert(rule);
        unit.run(rules.insert(rule).value());
      }
    }
  }
}

}  // namespace nplab::mappings
