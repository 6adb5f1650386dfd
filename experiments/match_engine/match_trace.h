// A range of a match engine's cycles as trace events, which Perfetto opens.
#pragma once

#include <ostream>

#include "simulator/match_engine/session_trace.h"
#include "support/trace_events.h"

namespace nplab::experiments {

struct MatchCycleRange {
  std::uint64_t from = 0;
  std::uint64_t to = 0;  // the last
};

class MatchTrace final : public simulator::match::CycleObserver {
 public:
  // The stream outlives it.
  MatchTrace(std::ostream& stream, const MatchCycleRange& range, std::uint64_t clock_hz);
  ~MatchTrace() override { sessions_.end(); }
  MatchTrace(const MatchTrace&) = delete;
  MatchTrace& operator=(const MatchTrace&) = delete;

  void cycle_done(simulator::match::MatchEngine& engine, simulator::Cycle now) override;

 private:
  TraceEvents events_;
  MatchCycleRange range_;
  simulator::match::SessionTrace sessions_;
};

}  // namespace nplab::experiments
