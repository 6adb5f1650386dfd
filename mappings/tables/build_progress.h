// How far a table builder is, for whoever waits for it.
#pragma once

#include <cstddef>
#include <functional>

namespace nplab::mappings {

// Told how much of the work is done, 0 to 1. Empty: nobody waits.
using BuildProgress = std::function<void(double done)>;

// Progress of a part of the work, the part between two shares of the whole.
inline BuildProgress part_of(const BuildProgress& whole, double from, double to) {
  if (!whole)
    return {};
  return [whole, from, to](double done) { whole(from + done * (to - from)); };
}

// Tells of item `i` of `all`, but not of every one: a builder handles millions a second.
inline void tell(const BuildProgress& progress, std::size_t i, std::size_t all) {
  constexpr std::size_t kItemsApart = 1024;
  if (progress && i % kItemsApart == 0)
    progress(static_cast<double>(i) / static_cast<double>(all));
}

}  // namespace nplab::mappings
