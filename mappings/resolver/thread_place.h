// A thread by its engine and its context there.
#pragma once

#include <compare>
#include <set>
#include <vector>

namespace nplab::mappings {

struct ThreadPlace {
  unsigned engine = 0;
  unsigned context = 0;
  friend auto operator<=>(const ThreadPlace&, const ThreadPlace&) = default;
};

inline std::set<unsigned> engines_of(const std::vector<ThreadPlace>& threads) {
  std::set<unsigned> engines;
  for (const ThreadPlace& thread : threads)
    engines.insert(thread.engine);
  return engines;
}

}  // namespace nplab::mappings
