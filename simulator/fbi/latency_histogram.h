// Latencies, counted so that percentiles are exact.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "simulator/base/time.h"

namespace nplab::simulator {

class LatencyHistogram {
 public:
  LatencyHistogram() : short_counts_(kShort) {}

  void add(Cycles latency);
  [[nodiscard]] std::uint64_t samples() const { return samples_; }
  // The smallest latency that at least `percent` of the samples do not exceed (nearest rank);
  // percent in (0, 100], with 0 the least of all. 0 without samples.
  [[nodiscard]] Cycles percentile(unsigned percent) const;
  [[nodiscard]] Cycles min() const { return percentile(0); }
  [[nodiscard]] Cycles max() const { return percentile(100); }
  // Of all latencies, so that their mean is exact.
  [[nodiscard]] std::uint64_t total() const { return total_; }

  // How many latencies lie in `from` to `to`, both included.
  struct Bucket {
    Cycles from = 0;
    Cycles to = 0;
    std::uint64_t count = 0;
    bool operator==(const Bucket&) const = default;
  };
  // Buckets of an eighth of a power of two, exact below 16 cycles; those with a count, the shortest
  // first.
  [[nodiscard]] std::vector<Bucket> buckets() const;

 private:
  static constexpr Cycles kShort = 1 << 16;  // cycles; what is longer is rare, or the run is short
  std::vector<std::uint64_t> short_counts_;  // by latency
  std::map<Cycles, std::uint64_t> long_counts_;
  std::uint64_t samples_ = 0;
  std::uint64_t total_ = 0;
};

}  // namespace nplab::simulator
