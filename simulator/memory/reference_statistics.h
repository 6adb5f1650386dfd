// What a unit counts about its references.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/base/state_hash.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

class ReferenceStatistics {
 public:
  // A reference of `longwords` went to its completion `latency` cycles after its issue.
  void completed(Cycles latency, unsigned longwords) {
    ++references_;
    longwords_ += longwords;
    total_latency_ += latency;
    ++histogram_[latency < kBuckets ? latency : kBuckets - 1];
  }
  // The unit's bus was taken for so long: data, turn-around, declared occupancy.
  void active(Cycles cycles) { active_ += cycles; }
  // A reference took the bus so many cycles later than it would have in an idle unit.
  void delayed(Cycles cycles) { delay_ += cycles; }
  // So many references wait in the unit.
  void queued(unsigned references) {
    if (references > queue_peak_)
      queue_peak_ = references;
  }

  [[nodiscard]] std::uint64_t references() const { return references_; }
  [[nodiscard]] std::uint64_t longwords() const { return longwords_; }
  [[nodiscard]] Cycles active_cycles() const { return active_; }
  [[nodiscard]] unsigned queue_peak() const { return queue_peak_; }
  [[nodiscard]] Cycles total_latency() const { return total_latency_; }
  [[nodiscard]] Cycles total_delay() const { return delay_; }
  // The least latency that at least `share` (0 to 1) of the references did not exceed; latencies
  // from 4095 cycles on count as 4095. 0 without references.
  [[nodiscard]] Cycles latency_percentile(double share) const;

  void hash(StateHash& hash) const;

 private:
  static constexpr std::size_t kBuckets = 4096;  // one per cycle
  std::uint64_t references_ = 0;
  std::uint64_t longwords_ = 0;
  Cycles active_ = 0;
  Cycles total_latency_ = 0;
  Cycles delay_ = 0;
  unsigned queue_peak_ = 0;
  std::array<std::uint64_t, kBuckets> histogram_{};
};

}  // namespace nplab::simulator
