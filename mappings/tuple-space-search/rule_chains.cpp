#include "mappings/tuple-space-search/rule_chains.h"

#include <algorithm>
#include <cassert>

namespace nplab::mappings::tuple_space {
namespace {

// Deletes between two times that the core processor waits for all lookups, when it has no other
// reason to.
constexpr std::size_t kSpareEntries = 64;

}  // namespace

std::size_t chain_capacity(std::size_t rules, const ExpectedUpdates* updates) {
  return updates == nullptr ? rules : updates->most_in_force + kSpareEntries;
}

bool is_in_at_start(std::uint32_t rule, const ExpectedUpdates* updates) {
  return updates == nullptr || updates->at_start[rule];
}

RuleChains::RuleChains(TablePlace slots, TablePlace entries, std::size_t capacity,
                       std::vector<Home> homes)
    : slots_(slots),
      entries_(entries),
      capacity_(capacity),
      homes_(std::move(homes)),
      address_(homes_.size()) {}

std::optional<std::uint32_t> RuleChains::take_entry() {
  if (!free_.empty()) {
    const std::uint32_t entry = free_.back();
    free_.pop_back();
    return entry;
  }
  if (used_ == capacity_)
    return std::nullopt;
  return entries_.base + static_cast<std::uint32_t>(used_++) * ENTRY_BYTES;
}

TableWrite RuleChains::link_to(const Chain& chain, Chain::const_iterator at,
                               std::uint32_t target) const {
  if (at == chain.begin())
    return {slots_.space, homes_[*at].slot, {target}};
  return {entries_.space, address_[*(at - 1)] + 4 * ENTRY_NEXT, {target}};
}

std::optional<TableChange> RuleChains::insert(std::uint32_t rule) {
  const auto entry = take_entry();
  if (!entry)
    return std::nullopt;
  const Home& home = homes_[rule];
  Chain& chain = chains_[home.slot];
  const auto behind = std::lower_bound(chain.begin(), chain.end(), rule);
  assert((behind == chain.end() || *behind != rule) && "a rule is in its tables once");
  auto longwords = home.entry;
  longwords[ENTRY_NEXT] = address_at(chain, behind);
  TableChange change;
  for (std::uint32_t from = 0; from < longwords.size(); from += BURST_LONGWORDS) {
    const auto first = longwords.begin() + from;
    change.preparation.push_back(
        {entries_.space, *entry + 4 * from, {first, first + BURST_LONGWORDS}});
  }
  address_[rule] = *entry;
  const auto at = chain.insert(behind, rule);
  change.link = link_to(chain, at, *entry);
  return change;
}

TableChange RuleChains::erase(std::uint32_t rule) {
  Chain& chain = chains_[homes_[rule].slot];
  const auto at = std::lower_bound(chain.begin(), chain.end(), rule);
  assert(at != chain.end() && *at == rule && "a rule is taken out where it is");
  TableChange change{{}, link_to(chain, at, address_at(chain, at + 1))};
  retired_.push_back(address_[rule]);
  chain.erase(at);
  return change;
}

void RuleChains::reclaim() {
  free_.insert(free_.end(), retired_.begin(), retired_.end());
  retired_.clear();
}

}  // namespace nplab::mappings::tuple_space
