#include "simulator/observe/run_samples.h"

namespace nplab::simulator {

MemorySample sample_of(const MemoryUnit& unit, Cycle at) {
  return {unit.active_cycles(at), unit.statistics().references()};
}

void RunSamples::take() {
  const FrameCounters& frames = tracker_.counters();
  const Cycle at = next();
  RunSample sample{frames.received,
                   frames.sent,
                   frames.received_bytes,
                   frames.sent_bytes,
                   sample_of(*parts_.sram, at),
                   sample_of(*parts_.sdram, at),
                   sample_of(*parts_.scratch, at),
                   frames.outstanding(),
                   entries_of(rings_)};
  samples_.add(std::move(sample));
}

}  // namespace nplab::simulator
