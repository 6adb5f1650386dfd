#include "simulator/run_samples.h"

namespace nplab::simulator {
namespace {

MemorySample sample_of(const MemoryUnit& unit, Cycle end) {
  return {unit.active_cycles(end), unit.statistics().references()};
}

}  // namespace

void RunSamples::take() {
  const FrameCounters& frames = tracker_.counters();
  RunSample sample{frames.received, frames.sent, sample_of(*parts_.sram, next_), sample_of(*parts_.sdram, next_),
                   sample_of(*parts_.scratch, next_), frames.outstanding(), {}};
  sample.ring_entries.reserve(rings_.size());
  for (const RingCounters& ring : rings_) sample.ring_entries.push_back(ring.put - ring.taken);
  samples_.push_back(std::move(sample));
  if (samples_.size() == kMost) halve();
  next_ = next_ + interval_;
}

// Of an even number of samples, those at the ends of intervals twice as long.
void RunSamples::halve() {
  for (std::size_t i = 0; i < samples_.size() / 2; ++i) samples_[i] = std::move(samples_[2 * i + 1]);
  samples_.resize(samples_.size() / 2);
  interval_ *= 2;
}

}  // namespace nplab::simulator
