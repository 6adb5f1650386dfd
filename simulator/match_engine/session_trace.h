// A match unit in a viewer of traces: a row for each module with what it sends in each cycle, a row
// for each tag with the modules that its session passes, as threads pass their states, and the
// places that are held. Works from the ports alone.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/dram/clock_ratio.h"
#include "simulator/match_engine/cycle_observer.h"
#include "simulator/match_engine/session.h"
#include "support/trace_events.h"

namespace nplab::simulator::match {

class SessionTrace final : public CycleObserver {
 public:
  // Takes three processes of the trace, from `process` on. `ratio`: the unit's cycles per cycle of
  // the viewer. The events outlive it.
  SessionTrace(TraceEvents& events, unsigned process, const dram::ClockRatio& ratio);

  void cycle_done(MatchEngine& engine, Cycle now) override;
  // Closes what is open.
  void end();

 private:
  struct Stay {
    bool is_named = false;  // the tag's row
    std::string module;     // empty: no session has the tag
    Cycle from;
    std::string request;
  };
  enum class Counted : unsigned { kSessions, kLoads, kStores };

  // What was sent in cycle `now` from one module to another.
  template <class Message>
  void sent(MatchEngine& engine, const char* from, const char* to, std::string_view what,
            const Message& message, Cycle now);
  void move(MatchEngine& engine, Tag tag, const char* to, Cycle now);
  void close(Tag tag, Cycle at);
  void count(Counted what, const char* name, unsigned value, Cycle now);
  void name_rows(MatchEngine& engine);
  // In the viewer's time.
  [[nodiscard]] double time_of(Cycle cycle) const;
  [[nodiscard]] double duration_of(Cycles cycles) const;

  TraceEvents& events_;
  unsigned process_;
  double cycle_;  // of the unit, in the viewer's
  std::map<std::string, unsigned> modules_;
  std::vector<Stay> stays_;  // by tag
  std::vector<unsigned> counted_;
  Cycle last_;
};

}  // namespace nplab::simulator::match
