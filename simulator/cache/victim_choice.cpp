#include "simulator/cache/victim_choice.h"

#include <algorithm>

namespace nplab::simulator {

VictimChoice::VictimChoice(CacheReplacement policy, unsigned sets, unsigned ways,
                           std::uint64_t seed)
    : policy_(policy),
      ways_(ways),
      seed_(seed),
      trees_(policy == CacheReplacement::kTreePlru ? sets : 0),
      uses_(policy == CacheReplacement::kLru ? std::size_t{sets} * ways : 0) {}

void VictimChoice::used(unsigned set, unsigned way) {
  if (policy_ == CacheReplacement::kLru)
    uses_[std::size_t{set} * ways_ + way] = ++use_;
  if (policy_ != CacheReplacement::kTreePlru)
    return;
  // Every node from the root to the way points to the other half from now on.
  std::uint64_t& tree = trees_[set];
  unsigned node = 1;
  for (unsigned half = ways_ / 2; half != 0; half /= 2) {
    const unsigned right = (way & half) != 0 ? 1 : 0;
    tree = (tree & ~(std::uint64_t{1} << node)) | std::uint64_t{1 - right} << node;
    node = 2 * node + right;
  }
}

unsigned VictimChoice::victim(unsigned set) {
  if (policy_ == CacheReplacement::kRandom) {
    StateHash draw;
    draw.add(seed_);
    draw.add(draws_++);
    return static_cast<unsigned>(draw.value() % ways_);
  }
  if (policy_ == CacheReplacement::kLru) {
    const auto first = uses_.begin() + static_cast<std::ptrdiff_t>(std::size_t{set} * ways_);
    return static_cast<unsigned>(std::min_element(first, first + ways_) - first);
  }
  unsigned node = 1;
  while (node < ways_)
    node = 2 * node + static_cast<unsigned>(trees_[set] >> node & 1);
  return node - ways_;
}

void VictimChoice::hash(StateHash& hash) const {
  hash.add(draws_);
  hash.add(use_);
  hash.add_all(trees_);
  hash.add_all(uses_);
}

}  // namespace nplab::simulator
