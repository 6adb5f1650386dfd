// One packet's way through the chip: what each thread did for it, collected from a run.
//
// A thread works on a packet from the end of one stretch of polling to the beginning of the next,
// if in between it refers to SDRAM that holds the packet's bytes, or an annotation of its names the
// packet. So its references to tables and queues are reported, too. To look for work, and what
// taking it costs, is polling.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "simulator/observe/run_observer.h"

namespace nplab::simulator {

// Words that follow each other, executed so many times in a row.
struct WordRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint64_t times = 1;
};

// Cycles in which a thread had the engine without a break.
struct EngineStretch {
  Cycle from;
  Cycle to;  // the first cycle after it
  Cycles executing = 0;
  Cycles aborted = 0;
  Cycles stalled = 0;
  std::vector<WordRange> words;  // executed
};

struct ThreadWork {
  ThreadId thread;
  Cycle from;
  Cycle to;  // the first cycle after it
  std::vector<EngineStretch> stretches;
  std::vector<TracedReference> references;  // in the order of their issue
  std::set<std::uint64_t> packets;          // by sequence number
};

class PacketTrace final : public RunObserver {
 public:
  // `polls`: whether a word waits for work.
  explicit PacketTrace(std::function<bool(EngineId, std::uint32_t)> polls)
      : polls_(std::move(polls)) {}

  void begin(const ObservedChip& chip) override;
  void slot(const EngineSlot& slot) override;
  void reference(const TracedReference& reference) override;
  void packet(const PacketEvent& event) override { events_.push_back(event); }

  // Once the run is over: work on `packet`, in the order of its beginning. Work on several packets
  // names all.
  [[nodiscard]] std::vector<ThreadWork> work_on(std::uint64_t packet);
  [[nodiscard]] const std::vector<PacketEvent>& events() const { return events_; }

 private:
  struct Thread {
    std::vector<ThreadWork> works;
    bool works_now = false;  // the last of these continues
  };
  [[nodiscard]] Thread& thread(ThreadId id) {
    return threads_[id.engine.index() * chip_.contexts + id.context.index()];
  }
  // Its work in that cycle; null: it polled.
  [[nodiscard]] ThreadWork* work_at(ThreadId id, Cycle at);
  static void add(const EngineSlot& slot, ThreadWork& work);

  std::function<bool(EngineId, std::uint32_t)> polls_;
  ObservedChip chip_;
  std::vector<Thread> threads_;
  std::vector<TracedReference> references_;
  std::vector<PacketEvent> events_;
};

}  // namespace nplab::simulator
