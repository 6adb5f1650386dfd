#include "workloads/updates/versioned_reference.h"

#include <algorithm>
#include <cassert>

namespace nplab::workloads {

VersionedReference::VersionedReference(const RuleSet& rules, const Traffic& traffic,
                                       std::vector<bool> at_start, std::vector<bool> changing)
    : traffic_(traffic),
      classifier_(rules),
      at_start_(std::move(at_start)),
      changing_(std::move(changing)),
      changes_(rules.size()),
      candidates_(traffic.size()) {}

void VersionedReference::change(RuleIndex rule, std::uint64_t at) {
  std::vector<std::uint64_t>& times = changes_.at(rule.value());
  assert((times.empty() || times.back() <= at) &&
         "changes of a rule come in the order of their times");
  assert(changing_[rule.value()] && "a rule that changes is said to");
  times.push_back(at);
}

const std::vector<RuleIndex>& VersionedReference::candidates(std::size_t traffic_index) {
  auto& known = candidates_.at(traffic_index);
  if (known)
    return *known;
  const auto& key = traffic_.packet(traffic_index).key;
  known.emplace(key ? classifier_.all_matches(*key) : std::vector<RuleIndex>{});
  const auto stays = std::find_if(known->begin(), known->end(), [&](RuleIndex rule) {
    return at_start_[rule.value()] && !changing_[rule.value()];
  });
  if (stays != known->end())
    known->erase(stays + 1, known->end());
  return *known;
}

bool VersionedReference::in_force(RuleIndex rule, std::uint64_t time) const {
  const auto& times = changes_[rule.value()];
  const auto changes = std::upper_bound(times.begin(), times.end(), time) - times.begin();
  return at_start_[rule.value()] == (changes % 2 == 0);
}

std::optional<RuleIndex> VersionedReference::first_of(const std::vector<RuleIndex>& rules,
                                                      std::uint64_t time) const {
  const auto first = std::find_if(rules.begin(), rules.end(),
                                  [&](RuleIndex rule) { return in_force(rule, time); });
  return first == rules.end() ? std::nullopt : std::optional(*first);
}

std::optional<RuleIndex> VersionedReference::answer_at(std::size_t traffic_index,
                                                       std::uint64_t time) {
  return first_of(candidates(traffic_index), time);
}

// What is in force among the candidates is the same between two of their changes.
VersionedReference::Judgement VersionedReference::judge(std::size_t traffic_index,
                                                        std::optional<RuleIndex> answer,
                                                        std::uint64_t from, std::uint64_t to) {
  const std::vector<RuleIndex>& rules = candidates(traffic_index);
  const auto at_first = first_of(rules, from);
  Judgement judgement{answer == at_first, false};
  for (const RuleIndex rule : rules) {
    const auto& times = changes_[rule.value()];
    for (auto time = std::upper_bound(times.begin(), times.end(), from);
         time != times.end() && *time <= to; ++time) {
      const auto right = first_of(rules, *time);
      judgement.is_right = judgement.is_right || answer == right;
      judgement.is_contested = judgement.is_contested || right != at_first;
    }
  }
  return judgement;
}

}  // namespace nplab::workloads
