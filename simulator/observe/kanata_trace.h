// A range of cycles for the pipeline viewer Konata (text form "Kanata 0004"): a lane a thread, an
// entry a slot of P3.
#pragma once

#include <ostream>
#include <vector>

#include "simulator/observe/run_observer.h"

namespace nplab::simulator {

// Stages of an entry: `S` while its reference cannot issue, `X` in the cycle in which it executes,
// `A` for a slot that a branch or swap made void, which ends as a flush. The label is the source
// line.
class KanataTrace final : public RunObserver {
 public:
  // The stream outlives this.
  explicit KanataTrace(std::ostream& stream) : stream_(stream) {}

  void begin(const ObservedChip& chip) override;
  void slot(const EngineSlot& slot) override;
  void cycle_done(Cycle at) override;
  void end(Cycle at) override;

 private:
  struct Entry {
    std::uint64_t number = 0;
    ThreadId thread;
    std::uint32_t word = 0;
    const char* stage = "";  // open
    bool is_flushed = false;
  };
  void advance(Cycle at);
  void open(const EngineSlot& slot, const char* stage);
  void close(Entry& entry);

  std::ostream& stream_;
  ObservedChip chip_;
  Cycle now_;
  bool has_begun_ = false;
  std::uint64_t entries_ = 0;
  std::uint64_t retired_ = 0;
  std::vector<std::optional<Entry>> held_;  // by engine, the one that stalls
  std::vector<Entry> ending_;               // with the cycle
};

}  // namespace nplab::simulator
