// A range of cycles as Chrome's trace events (JSON), which Perfetto and chrome://tracing open:
// threads with their states and source lines, references, queues, packets, the sessions and modules
// of a match unit. A microsecond of the viewer stands for a core cycle.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "simulator/match_engine/session_trace.h"
#include "simulator/observe/run_observer.h"
#include "support/trace_events.h"

namespace nplab::simulator {

class EventTrace final : public RunObserver {
 public:
  // The stream outlives this, which ends the text when it is destroyed: references still come
  // after the range's end.
  explicit EventTrace(std::ostream& stream) : events_(stream) {}

  void begin(const ObservedChip& chip) override;
  void started() override;
  void context_changed(const ContextChange& change) override;
  void instruction(const ExecutedInstruction& instruction) override;
  void reference(const TracedReference& reference) override;
  void queue_changed(std::size_t queue, unsigned entries, Cycle at) override;
  void packet(const PacketEvent& event) override;
  void paused(Cycle at) override;
  void end(Cycle at) override;

 private:
  struct OpenState {
    Cycle from;
    std::string name;  // empty: off
  };
  struct OpenLine {
    Cycle from;
    Cycle to;
    std::uint64_t instructions = 0;
    std::string source;
  };
  struct Thread {
    OpenState state;
    OpenLine line;
  };
  Thread& thread(ThreadId id) { return threads_[id.number(chip_.contexts)]; }
  void close_state(ThreadId id, Cycle at);
  void close_line(ThreadId id);

  TraceEvents events_;
  ObservedChip chip_;
  std::vector<Thread> threads_;
  std::uint64_t references_ = 0;
  std::optional<match::SessionTrace> sessions_;  // of a match unit
};

}  // namespace nplab::simulator
