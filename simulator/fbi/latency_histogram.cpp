#include "simulator/fbi/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace nplab::simulator {

void LatencyHistogram::add(Cycles latency) {
  ++samples_;
  total_ += latency;
  if (latency < kShort) {
    ++short_counts_[latency];
  } else {
    ++long_counts_[latency];
  }
}

Cycles LatencyHistogram::percentile(unsigned percent) const {
  const std::uint64_t rank = std::max<std::uint64_t>(1, (samples_ * percent + 99) / 100);
  std::uint64_t seen = 0;
  Cycles latency = 0;
  // Whole blocks first, whose counts the host adds several at a time.
  constexpr Cycles kBlock = 64;
  for (auto block = short_counts_.begin(); latency < kShort; block += kBlock, latency += kBlock) {
    const std::uint64_t behind = std::accumulate(block, block + kBlock, seen);
    if (behind >= rank)
      break;
    seen = behind;
  }
  for (; latency < kShort; ++latency) {
    seen += short_counts_[latency];
    if (seen >= rank)
      return latency;
  }
  for (const auto& [latency, count] : long_counts_) {
    seen += count;
    if (seen >= rank)
      return latency;
  }
  return 0;
}

std::vector<LatencyHistogram::Bucket> LatencyHistogram::buckets() const {
  constexpr unsigned kShareBits = 3;  // a power of two is cut into 2^3 buckets
  std::vector<Bucket> buckets;
  const auto count = [&](Cycles latency, std::uint64_t times) {
    if (times == 0)
      return;
    if (buckets.empty() || latency > buckets.back().to) {
      const unsigned bits = std::bit_width(latency);
      const Cycles width = bits > kShareBits + 1 ? Cycles{1} << (bits - kShareBits - 1) : 1;
      const Cycles from = latency / width * width;
      buckets.push_back({from, from + width - 1, 0});
    }
    buckets.back().count += times;
  };
  for (Cycles latency = 0; latency < kShort; ++latency)
    count(latency, short_counts_[latency]);
  for (const auto& [latency, times] : long_counts_)
    count(latency, times);
  return buckets;
}

}  // namespace nplab::simulator
