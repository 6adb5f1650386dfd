// Accounts of what a match engine answers and counts, kept apart from it.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "tests/simulator/match_engine/match_bench.h"

namespace nplab::test {

struct Counted {
  std::uint64_t packets = 0, bytes = 0, last_seen = 0;
  friend bool operator==(const Counted&, const Counted&) = default;
};

inline Counted counted(const Entry& entry) {
  return {entry.packets, entry.bytes, entry.last_seen};
}

inline std::map<std::uint32_t, Counted> counted_by_action(const MatchEngine& engine) {
  std::map<std::uint32_t, Counted> found;
  for (const auto slot : engine.slots())
    if (const Entry rule = engine.rule(slot); rule.tuple != isa::match::kNoTuple)
      found[rule.action] = counted(rule);
  return found;
}

// A rule between the update that brought it and the one that took it away.
struct Life {
  Entry rule;
  Cycle may_match_from, surely_from;
  Cycle surely_until = Cycle::never(), may_match_until = Cycle::never();
  std::optional<Counted> at_the_end;
};

// Rules that come and go, by what the unit answered, and what lookups may have seen of them. The
// action of a rule is the number of its update, so that every version is known.
class Ledger {
 public:
  explicit Ledger(const LookupProgram& program) : program_(program) {}

  // Of updates in the order of their numbers: those of one key are worked through so.
  void add_update(const Result& result, const Entry& rule) {
    const auto here = std::find_if(present_.begin(), present_.end(), [&](std::uint32_t action) {
      return lives_[action].rule.holds(rule.tuple, rule.key);
    });
    const bool is_here = here != present_.end();
    if (result.kind == RequestKind::kInsert) {
      if (result.outcome != Outcome::kInserted) {
        // Another key's, if there is no rule of its own.
        wrong_ += (result.outcome == Outcome::kSameKey) != is_here ? 1 : 0;
        ++refused_;
        return;
      }
      wrong_ += is_here ? 1 : 0;
      present_.push_back(rule.action);
      lives_[rule.action] = {rule, result.begun, result.ended, Cycle::never(), Cycle::never(), {}};
      return;
    }
    wrong_ += (result.outcome == Outcome::kAbsent) == is_here ? 1 : 0;
    if (!is_here)
      return;
    wrong_ += result.entry.action != *here ? 1 : 0;
    if (result.kind == RequestKind::kReadState)
      return;
    Life& life = lives_[*here];
    life.surely_until = result.begun;
    life.may_match_until = result.ended;
    life.at_the_end = counted(result.entry);
    if (result.kind == RequestKind::kReplace) {
      wrong_ += result.outcome == Outcome::kReplaced ? 0 : 1;
      *here = rule.action;
      lives_[rule.action] = {rule, result.begun, result.ended, Cycle::never(), Cycle::never(), {}};
      return;
    }
    present_.erase(here);
    ++erased_;
  }

  void add_lookup(const Result& result, const Key& key, std::uint32_t bytes) {
    std::uint32_t priority = 0;
    if (result.outcome == Outcome::kMatched) {
      const Life& life = lives_[result.entry.action];
      priority = life.rule.priority;
      wrong_ += !matches(life.rule, key) || result.ended < life.may_match_from ||
                        result.begun > life.may_match_until
                    ? 1
                    : 0;
      Counted& rule = counts_[result.entry.action];
      ++rule.packets;
      rule.bytes += bytes;
      rule.last_seen = std::max(rule.last_seen, result.begun.number());
    }
    // No better rule was there all the time.
    for (const auto& [action, life] : lives_)
      wrong_ += life.rule.priority > priority && matches(life.rule, key) &&
                        life.surely_from < result.begun && life.surely_until > result.ended
                    ? 1
                    : 0;
  }

  // What the unit counted: rules that are there, and those that went, when they did.
  [[nodiscard]] bool is_exact(const MatchEngine& engine) const {
    auto found = counted_by_action(engine);
    auto expected = counts_;
    for (const auto& [action, life] : lives_) {
      expected[action];
      if (life.at_the_end)
        found[action] = *life.at_the_end;
    }
    return found == expected;
  }
  [[nodiscard]] std::uint64_t wrong() const { return wrong_; }
  [[nodiscard]] std::uint64_t inserted() const { return lives_.size(); }
  [[nodiscard]] std::uint64_t erased() const { return erased_; }
  [[nodiscard]] std::uint64_t refused() const { return refused_; }

 private:
  [[nodiscard]] bool matches(const Entry& rule, const Key& key) const {
    return masked(key, program_.tuple(rule.tuple).mask) == rule.key;
  }

  const LookupProgram& program_;
  std::map<std::uint32_t, Life> lives_;  // by action
  std::vector<std::uint32_t> present_;
  std::map<std::uint32_t, Counted> counts_;
  std::uint64_t wrong_ = 0, erased_ = 0, refused_ = 0;
};

}  // namespace nplab::test
