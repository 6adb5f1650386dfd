// What every thread did in a range of cycles, as slices: collected from a run to be drawn.
#pragma once

#include <string>
#include <vector>

#include "simulator/run_observer.h"

namespace nplab::simulator {

// From `from` on until the thread's next slice.
struct TimelineSlice {
  Cycle from;
  ContextState state{};
  std::optional<isa::Event> waits_for;  // waiting
  std::uint32_t word = 0;               // executing, stalled: the instruction's; aborted: of what aborts; waiting: what gave up the engine
};

class ThreadTimeline final : public RunObserver {
 public:
  struct Thread {
    ThreadId id;
    std::vector<TimelineSlice> slices;  // the last one ends with the range
  };

  void begin(const ObservedChip& chip) override;
  void context_changed(const ContextChange& change) override;
  void slot(const EngineSlot& slot) override;
  void cycle_done(Cycle at) override;
  void end(Cycle at) override { end_ = at; }

  [[nodiscard]] const std::vector<Thread>& threads() const { return threads_; }
  [[nodiscard]] Cycle from() const { return from_; }
  [[nodiscard]] Cycle to() const { return end_; }  // the first cycle behind the range
  // "file.c:12" of a slice's word; empty when it has none.
  [[nodiscard]] std::string source(const Thread& thread, const TimelineSlice& slice) const {
    return slice.state == ContextState::kOff || slice.state == ContextState::kReady ? "" : chip_.source(thread.id.engine, slice.word);
  }

 private:
  Thread& thread(ThreadId id) { return threads_[id.engine.index() * chip_.contexts + id.context.index()]; }
  void add(ThreadId id, const TimelineSlice& slice);

  ObservedChip chip_;
  std::vector<Thread> threads_;
  Cycle from_ = Cycle::never();
  Cycle end_;
};

}  // namespace nplab::simulator
