// A run in its steps, for the code that drives the chip: what the chip needs from outside, then its
// beginning, the control of its windows, and its results.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "simulator/chip/assembly.h"
#include "simulator/fbi/fbi.h"
#include "simulator/observe/ring_marks.h"
#include "simulator/observe/ring_watch.h"
#include "simulator/observe/run_annotations.h"
#include "simulator/observe/run_tracer.h"
#include "simulator/run/run_control.h"
#include "simulator/run/run_visitor.h"
#include "simulator/run/run_watch.h"
#include "simulator/run/simulation.h"

namespace nplab::simulator {

// Nothing arrives.
class NoPackets final : public workloads::PacketSource {
 public:
  std::optional<workloads::OfferedPacket> next(workloads::PortId) override { return std::nullopt; }
};

// The environment of the engines, buses and memories of a run.
struct RunEnvironment {
  explicit RunEnvironment(const SimulationInputs& inputs);

  NoPackets no_packets;
  MediaDevice media;
  FrameTracker tracker;
  Fbi fbi;
  RunWatch watch;
  RunAnnotations annotations;
  std::optional<CorePort> core;
  std::optional<match::MatchUnit> match;
};

class RunSession {
 public:
  // Keeps a reference. The inputs must be right (check_inputs).
  explicit RunSession(const SimulationInputs& inputs);

  // What the chip is joined with; it outlives the chip.
  [[nodiscard]] ChipOutside outside();
  [[nodiscard]] RunEnvironment& environment() { return around_; }
  // Loads programs and memories. Once, before the first cycle, of a chip that is joined.
  void begin(const ChipParts& parts);
  // From then on: windows run under it until it says that the run is over.
  [[nodiscard]] WindowControl& control();
  [[nodiscard]] bool deadlocked() const { return control_->deadlocked(); }
  // Once, when no cycle comes any more; `end` is the cycle after the last.
  [[nodiscard]] SimulationResult finish(Cycle end);

 private:
  void watch_memories(const ChipParts& parts);

  const SimulationInputs& inputs_;
  RunEnvironment around_;
  const ChipParts* parts_ = nullptr;
  std::vector<RingCounters> ring_counters_;
  std::optional<RingWatch> sram_rings_, scratch_rings_;
  std::optional<RingMarks> ring_marks_;
  std::optional<RunSamples> samples_;
  std::optional<RunActivity> activity_;
  std::optional<RunControl> control_;
  std::optional<RunTracer> tracer_;
  std::optional<VisitedControl> visited_;
  std::chrono::steady_clock::time_point started_;
};

}  // namespace nplab::simulator
