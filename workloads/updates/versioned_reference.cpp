#include "workloads/updates/versioned_reference.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace nplab::workloads {
namespace {

constexpr std::uint64_t kNotYet = std::numeric_limits<std::uint64_t>::max();

}  // namespace

VersionedReference::VersionedReference(const RuleSet& rules, const Traffic& traffic,
                                       std::vector<bool> at_start, std::vector<bool> changing)
    : traffic_(traffic),
      classifier_(rules),
      at_start_(std::move(at_start)),
      changing_(std::move(changing)),
      changes_(rules.size()),
      candidates_(traffic.size()) {}

void VersionedReference::begin_change(RuleIndex rule, std::uint64_t at) {
  std::vector<Change>& changes = changes_.at(rule.value());
  assert((changes.empty() || changes.back().to <= at) &&
         "changes of a rule come in the order of their times");
  assert(changing_[rule.value()] && "a rule that changes is said to");
  changes.push_back({at, kNotYet});
}

void VersionedReference::end_change(RuleIndex rule, std::uint64_t at) {
  Change& change = changes_.at(rule.value()).back();
  assert(change.to == kNotYet && change.from <= at && "a change ends that has begun");
  change.to = at;
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

VersionedReference::Changes::const_iterator VersionedReference::first_after(
    RuleIndex rule, std::uint64_t time) const {
  const Changes& changes = changes_[rule.value()];
  return std::upper_bound(changes.begin(), changes.end(), time,
                          [](std::uint64_t at, const Change& change) { return at < change.to; });
}

bool VersionedReference::was_in_force(RuleIndex rule, std::uint64_t time) const {
  const auto before = first_after(rule, time) - changes_[rule.value()].begin();
  return at_start_[rule.value()] == (before % 2 == 0);
}

VersionedReference::InForce VersionedReference::in_force(RuleIndex rule, std::uint64_t time) const {
  const auto next = first_after(rule, time);
  if (next != changes_[rule.value()].end() && next->from <= time)
    return InForce::kEither;
  return was_in_force(rule, time) ? InForce::kYes : InForce::kNo;
}

template <class Visit>
void VersionedReference::visit_first_of(const std::vector<RuleIndex>& rules, std::uint64_t time,
                                        Visit visit) const {
  for (const RuleIndex rule : rules) {
    const InForce state = in_force(rule, time);
    if (state != InForce::kNo)
      visit(std::optional(rule));
    if (state == InForce::kYes)
      return;
  }
  visit(std::optional<RuleIndex>());
}

std::optional<RuleIndex> VersionedReference::answer_at(std::size_t traffic_index,
                                                       std::uint64_t time) {
  const auto& rules = candidates(traffic_index);
  const auto first = std::find_if(rules.begin(), rules.end(),
                                  [&](RuleIndex rule) { return was_in_force(rule, time); });
  return first == rules.end() ? std::nullopt : std::optional(*first);
}

// What is in force among the candidates is the same between two of their changes.
VersionedReference::Judgement VersionedReference::judge(std::size_t traffic_index,
                                                        std::optional<RuleIndex> answer,
                                                        std::uint64_t from, std::uint64_t to) {
  const std::vector<RuleIndex>& rules = candidates(traffic_index);
  std::optional<std::optional<RuleIndex>> at_first;
  Judgement judgement;
  const auto look_at = [&](std::uint64_t time) {
    visit_first_of(rules, time, [&](std::optional<RuleIndex> right) {
      at_first = at_first.value_or(right);
      judgement.is_right = judgement.is_right || answer == right;
      judgement.is_contested = judgement.is_contested || right != *at_first;
    });
  };
  look_at(from);
  for (const RuleIndex rule : rules) {
    const auto end = changes_[rule.value()].end();
    for (auto change = first_after(rule, from); change != end && change->from <= to; ++change) {
      for (const std::uint64_t time : {change->from, change->to})
        if (from < time && time <= to)
          look_at(time);
    }
  }
  return judgement;
}

}  // namespace nplab::workloads
