#include "experiments/match_engine/match_trace.h"

#include <fmt/format.h>

namespace nplab::experiments {

MatchTrace::MatchTrace(std::ostream& stream, const MatchCycleRange& range, std::uint64_t clock_hz)
    : events_(stream),
      range_(range),
      sessions_(events_, 0, simulator::dram::ClockRatio::of(clock_hz, clock_hz)) {
  events_.begin(fmt::format(
      R"({{"unit":"a microsecond stands for a cycle of the unit","clock_hz":"{}"}})", clock_hz));
}

void MatchTrace::cycle_done(simulator::match::MatchEngine& engine, simulator::Cycle now) {
  if (now.number() >= range_.from && now.number() <= range_.to)
    sessions_.cycle_done(engine, now);
}

}  // namespace nplab::experiments
