// What every thread did in ranges of cycles, as slices, and how full the queues were: collected
// from a run to be drawn.
#pragma once

#include <string>
#include <vector>

#include "simulator/observe/run_observer.h"

namespace nplab::simulator {

// From `from` on until the thread's next slice.
struct TimelineSlice {
  Cycle from;
  std::optional<ContextState> state;    // nothing: between two ranges
  std::optional<isa::Event> waits_for;  // waiting
  std::uint32_t word = 0;  // executing, stalled: the instruction's; aborted: of what aborts;
                           // waiting: what gave up the engine
};

class ThreadTimeline final : public RunObserver {
 public:
  struct Thread {
    ThreadId id;
    std::vector<TimelineSlice> slices;  // the last one ends with the last range
  };
  // How full a queue was: `entries` from a cycle on until the next one.
  struct Depth {
    Cycle from;
    unsigned entries = 0;
  };
  struct QueueTimeline {
    std::string name;
    unsigned capacity = 0;
    std::vector<Depth> depths;  // it is empty before the first and between two ranges
  };
  using Depths = std::vector<Depth>;

  void begin(const ObservedChip& chip) override;
  void context_changed(const ContextChange& change) override;
  void slot(const EngineSlot& slot) override;
  void queue_changed(std::size_t queue, unsigned entries, Cycle at) override {
    queues_[queue].depths.push_back({at, entries});
  }
  void ring_changed(std::size_t ring, unsigned entries, Cycle at) override {
    rings_[ring].push_back({at, entries});
  }
  void bus_taken(std::size_t bus, Cycle at) override {
    queues_[chip_.queues.size() + bus].depths.push_back({at, 1});
  }
  void bus_freed(std::size_t bus, Cycle at) override {
    queues_[chip_.queues.size() + bus].depths.push_back({at, 0});
  }
  void cycle_done(Cycle at) override;
  void paused(Cycle at) override;
  void end(Cycle at) override;

  [[nodiscard]] const std::vector<Thread>& threads() const { return threads_; }
  // The buses of the memory units are here too, as queues of one entry, which is there while the
  // bus is taken.
  [[nodiscard]] const std::vector<QueueTimeline>& queues() const { return queues_; }
  // How full each of software's rings was, as the queues.
  [[nodiscard]] const std::vector<Depths>& rings() const { return rings_; }
  // That cycles of the run were in, in order.
  [[nodiscard]] const std::vector<CycleRange>& ranges() const { return ranges_; }
  // "file.c:12" of a slice's word; empty when it has none.
  [[nodiscard]] std::string source(const Thread& thread, const TimelineSlice& slice) const {
    const bool has_word =
        slice.state && *slice.state != ContextState::kOff && *slice.state != ContextState::kReady;
    return has_word ? chip_.source(thread.id.engine, slice.word) : "";
  }

 private:
  Thread& thread(ThreadId id) {
    return threads_[id.engine.index() * chip_.contexts + id.context.index()];
  }
  void add(ThreadId id, const TimelineSlice& slice);

  ObservedChip chip_;
  std::vector<Thread> threads_;
  std::vector<QueueTimeline> queues_;
  std::vector<Depths> rings_;
  std::vector<CycleRange> ranges_;
  bool in_range_ = false;
};

}  // namespace nplab::simulator
