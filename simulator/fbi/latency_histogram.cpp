#include "simulator/fbi/latency_histogram.h"

#include <algorithm>

namespace nplab::simulator {

void LatencyHistogram::add(Cycles latency) {
  ++samples_;
  if (latency < kShort) {
    ++short_counts_[latency];
  } else {
    ++long_counts_[latency];
  }
}

Cycles LatencyHistogram::percentile(unsigned percent) const {
  const std::uint64_t rank = std::max<std::uint64_t>(1, (samples_ * percent + 99) / 100);
  std::uint64_t seen = 0;
  for (Cycles latency = 0; latency < kShort && samples_ > 0; ++latency) {
    seen += short_counts_[latency];
    if (seen >= rank) return latency;
  }
  for (const auto& [latency, count] : long_counts_) {
    seen += count;
    if (seen >= rank) return latency;
  }
  return 0;
}

}  // namespace nplab::simulator
