#include "simulator/memory/reference_statistics.h"

#include <cmath>

namespace nplab::simulator {

Cycles ReferenceStatistics::latency_percentile(double share) const {
  const auto wanted =
      static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(references_)));
  std::uint64_t seen = 0;
  for (std::size_t latency = 0; latency < kBuckets && wanted > 0; ++latency) {
    seen += histogram_[latency];
    if (seen >= wanted)
      return latency;
  }
  return 0;
}

void ReferenceStatistics::hash(StateHash& hash) const {
  hash.add(references_);
  hash.add(longwords_);
  hash.add(active_);
  hash.add(total_latency_);
  hash.add(queue_peak_);
  hash.add_all(histogram_);
}

}  // namespace nplab::simulator
