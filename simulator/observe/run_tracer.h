// Tells a RunObserver of a run. It stands between the chip and the run's control: it makes windows
// of the range one cycle long and looks at the parts after each, so that the parts themselves know
// nothing of it.
#pragma once

#include <unordered_map>
#include <vector>

#include "simulator/base/reference_observer.h"
#include "simulator/base/window_control.h"
#include "simulator/chip/chip_parts.h"
#include "simulator/engine/engine_snapshot.h"
#include "simulator/fbi/fbi.h"
#include "simulator/observe/chip_queues.h"
#include "simulator/observe/ring_watch.h"
#include "simulator/observe/run_annotations.h"
#include "simulator/observe/run_observer.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class RunTracer final : public WindowControl, private ReferenceObserver, private VerdictSink {
 public:
  // All outlive this, and do not run once it is gone.
  struct Watched {
    const ChipDescription& chip;
    const ChipParts& parts;
    Fbi& fbi;
    FrameTracker& tracker;
    match::MatchUnit* match;  // may be null
    const RunAnnotations& annotations;
    VerdictSink* verdicts;  // is notified of verdicts, too; may be null
    WindowControl& control;
    const std::vector<RingCounters>& rings;
    std::function<std::string(EngineId, std::uint32_t)> source;  // of a word
  };
  RunTracer(const Observation& observation, const Watched& watched);
  ~RunTracer() override;
  RunTracer(const RunTracer&) = delete;
  RunTracer& operator=(const RunTracer&) = delete;

  [[nodiscard]] WindowLimits limits(Cycle now) override;
  bool finished(Cycle done) override;

 private:
  struct ContextTold {
    ContextState state = ContextState::kOff;
    std::optional<isa::Event> waits_for;
  };
  struct Engine {
    EngineSnapshot before;
    std::array<ContextTold, kMostContexts> told;
    Cycles held = 0;  // in P3, the instruction there
    std::vector<ExecutedInstruction> unfinished;
  };
  struct UnitBus {
    const MemoryUnit* unit;
    bool taken;
  };

  void granted(const Command& command, Cycle at) override;
  void served(const Command& command, unsigned longwords, Cycle at, Cycle done) override;
  void received(const workloads::OfferedPacket& packet, unsigned port, Cycle at) override;
  void verdict(const workloads::OfferedPacket& packet, std::optional<std::uint32_t> rule,
               Cycle at) override;
  void dropped(const workloads::OfferedPacket& packet, DropReason reason, Cycle at) override;
  void sent(const workloads::OfferedPacket& packet, unsigned port, Cycle at) override;

  void observe_references(ReferenceObserver* observer);
  void begin();
  void end_range(Cycle done, bool run_is_over);
  void look_at_cycle(Cycle at);
  void look_at_engine(unsigned engine, Cycle at);
  [[nodiscard]] std::optional<EngineSlot> slot_of(unsigned engine, const EngineSnapshot& after,
                                                  Cycle at) const;
  void tell_slot(Engine& engine, const EngineSlot& slot, const EngineSnapshot& after);
  void tell_contexts(unsigned engine, const std::optional<EngineSlot>& slot,
                     const EngineSnapshot& after, Cycle at);
  void look_at_queues(Cycle at);
  void look_at_rings(Cycle at);
  void look_at_buses(Cycle at);
  [[nodiscard]] bool in_range(Cycle at) const { return at >= range_.from && at < range_.to; }
  [[nodiscard]] std::string_view queue_of(const Command& command) const;

  CycleRange range_;
  std::vector<CycleRange> later_;  // the next one at the end
  RunObserver& observer_;
  Watched watched_;
  ChipQueues queues_;
  ObservedChip chip_;
  std::vector<Engine> engines_;
  std::vector<UnitBus> buses_;
  std::vector<std::uint32_t> entries_;  // of the queues, as reported
  std::vector<std::uint32_t> ring_entries_;
  std::unordered_map<std::uint64_t, Cycle>
      grants_;  // of references under way, by engine and cycle of issue
  bool began_ = false;
  bool ended_ = false;
};

}  // namespace nplab::simulator
