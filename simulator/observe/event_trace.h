// A range of cycles as Chrome's trace events (JSON), which Perfetto and chrome://tracing open:
// threads with their states and source lines, references, queues, packets. A microsecond of the
// viewer stands for a core cycle.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "simulator/observe/run_observer.h"

namespace nplab::simulator {

class EventTrace final : public RunObserver {
 public:
  // The stream outlives this, which ends the text when it is destroyed: references still come
  // after the range's end.
  explicit EventTrace(std::ostream& stream) : stream_(stream) {}
  ~EventTrace() override;
  EventTrace(const EventTrace&) = delete;
  EventTrace& operator=(const EventTrace&) = delete;

  void begin(const ObservedChip& chip) override;
  void context_changed(const ContextChange& change) override;
  void instruction(const ExecutedInstruction& instruction) override;
  void reference(const TracedReference& reference) override;
  void queue_changed(std::size_t queue, unsigned entries, Cycle at) override;
  void packet(const PacketEvent& event) override;
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
  void write(const std::string& event);
  void name(unsigned process, const std::string& text);
  void close_state(ThreadId id, Cycle at);
  void close_line(ThreadId id);

  std::ostream& stream_;
  ObservedChip chip_;
  std::vector<Thread> threads_;
  std::uint64_t references_ = 0;
  bool is_first_ = true;
};

}  // namespace nplab::simulator
