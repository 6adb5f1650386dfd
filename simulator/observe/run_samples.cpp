#include "simulator/observe/run_samples.h"

#include "simulator/match_engine/match_unit.h"

namespace nplab::simulator {
namespace {

MatchSample sample_of(match::MatchUnit* unit, Cycle at) {
  if (unit == nullptr)
    return {};
  unit->run(at);
  const match::MatchEngine& engine = unit->engine();
  return {unit->counters().answered, engine.input().counters().sent,
          engine.memory().reads_taken() + engine.memory().writes_taken(),
          engine.input().sessions_under_way()};
}

}  // namespace

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
                   sample_of(match_, at),
                   frames.outstanding(),
                   entries_of(rings_)};
  samples_.add(std::move(sample));
}

}  // namespace nplab::simulator
