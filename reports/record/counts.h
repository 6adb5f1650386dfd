// Counts by name, as the run record holds them: parts of a whole, such as cycles by cause.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace nplab::reports {

using Count = std::uint64_t;
using CountByName = std::map<std::string, Count>;

inline Count sum_of(const CountByName& counts) {
  Count sum = 0;
  for (const auto& [name, count] : counts)
    sum += count;
  return sum;
}

// 0 where the name is not there.
inline Count count_of(const CountByName& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

inline void add_counts(const CountByName& counts, CountByName& sum) {
  for (const auto& [name, count] : counts)
    sum[name] += count;
}

}  // namespace nplab::reports
