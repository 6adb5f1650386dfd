// What a run looks like over time: counts read at cycles that are an interval apart.
#pragma once

#include <cstdint>
#include <vector>

#include "simulator/base/halving_series.h"
#include "simulator/base/time.h"
#include "simulator/chip/chip_parts.h"
#include "simulator/fbi/frame_tracker.h"
#include "simulator/observe/ring_watch.h"

namespace nplab::simulator {
namespace match {
class MatchUnit;
}  // namespace match

struct MemorySample {
  Cycles active_cycles = 0;
  std::uint64_t references = 0;
};

// Of a unit, of the beginning of cycle `at`.
MemorySample sample_of(const MemoryUnit& unit, Cycle at);

// Of a match unit: counted from cycle 0 on, but for the sessions, which are those of the moment.
struct MatchSample {
  std::uint64_t lookups = 0;    // that ended
  std::uint64_t looked_up = 0;  // sessions that the input handler sent on
  std::uint64_t bursts = 0;     // read and written
  std::uint64_t sessions = 0;
};

// Counted from cycle 0 on, but for the last two.
struct RunSample {
  std::uint64_t received = 0;
  std::uint64_t sent = 0;
  std::uint64_t received_bytes = 0, sent_bytes = 0;  // of these frames
  MemorySample sram, sdram, scratch;
  MatchSample match;
  std::uint64_t in_flight = 0;              // frames at that cycle
  std::vector<std::uint32_t> ring_entries;  // by ring: put in and not taken out
};

struct SampleSeries {
  Cycles interval = 0;  // sample i is of the beginning of cycle (i + 1) * interval
  std::vector<RunSample> samples;
};

class RunSamples {
 public:
  static constexpr std::size_t kMost = 512;
  static constexpr Cycles kFirstInterval = 256;

  // All outlive this; `match` may be null.
  RunSamples(const ChipParts& parts, match::MatchUnit* match, const FrameTracker& tracker,
             const std::vector<RingCounters>& rings)
      : parts_(parts), match_(match), tracker_(tracker), rings_(rings) {}

  // The cycle before which the next sample is to be taken: all parts have come there, none is
  // beyond.
  [[nodiscard]] Cycle next() const { return samples_.next(); }
  void take();

  [[nodiscard]] SampleSeries series() && {
    return {samples_.interval(), std::move(samples_).values()};
  }

 private:
  const ChipParts& parts_;
  match::MatchUnit* match_;
  const FrameTracker& tracker_;
  const std::vector<RingCounters>& rings_;
  HalvingSeries<RunSample> samples_{kFirstInterval, kMost};
};

}  // namespace nplab::simulator
