// Which line of a full set makes room for another: what the replacement policies keep of each set.
// Tree-PLRU: Handy, The Cache Memory Book, 1993: a binary tree over the ways, each node pointing to
// the half that was not used last.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/base/state_hash.h"
#include "simulator/parameters/cache_choices.h"

namespace nplab::simulator {

class VictimChoice {
 public:
  // `ways` is a power of two for tree-PLRU, at most 64.
  VictimChoice(CacheReplacement policy, unsigned sets, unsigned ways, std::uint64_t seed);

  // A reference finds, or brings, its line in `way`.
  void used(unsigned set, unsigned way);
  // The way of `set`, in which all hold lines, that makes room.
  [[nodiscard]] unsigned victim(unsigned set);

  void hash(StateHash& hash) const;

 private:
  CacheReplacement policy_;
  unsigned ways_;
  std::uint64_t seed_;
  std::uint64_t draws_ = 0;           // random: with the seed, all that decides those to come
  std::vector<std::uint64_t> trees_;  // tree-PLRU, by set: bit n is node n, the root bit 1
  std::vector<std::uint64_t> uses_;   // LRU, by line: the number of its last use
  std::uint64_t use_ = 0;
};

}  // namespace nplab::simulator
