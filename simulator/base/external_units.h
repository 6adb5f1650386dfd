// The two units with activity of their own beyond the command bus: the FBI (FIFOs, CSRs, hash,
// receive and transmit state machines) and the media device with its ports. The chip wraps each in
// a SystemC module (chip.fbi, chip.media) and runs them as phases of every window, the FBI first.
#pragma once

#include "simulator/base/command_kinds.h"
#include "simulator/base/fbi_processor.h"
#include "simulator/base/ports.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

class MediaDevice;

// What the FBI is given by the chip, once, before the first cycle. All outlive it.
struct FbiConnections {
  ThreadAccess* threads = nullptr;
  RunMonitor* monitor = nullptr;
  MediaDevice* media = nullptr;  // null: a chip without ports
};

class FbiUnit : public UnitQueue, public FifoAccess, public InputStates, public Inspectable {
 public:
  [[nodiscard]] Refusal refusal(const Command&) const override {
    constexpr StallCause kQueue = stall_cause(kFbiQueues.unit, kFbiQueues.rows[0].name);
    return {kQueue, Cycle()};
  }
  virtual void connect(const FbiConnections& connections) = 0;
  // Before the first cycle: what the programs may send; without this call, anything.
  virtual void expect(const CommandKinds& kinds) = 0;
  // Works through all cycles before `horizon` that it has not done yet. The chip asks once a
  // window; a unit with nothing to do must return at once.
  virtual void run(Cycle horizon) = 0;
  // No answer or signal still to be given comes before this cycle, if the next command arrives at
  // `arrival` or later.
  [[nodiscard]] virtual Cycle earliest_answer(Cycle arrival) const = 0;
  // Executes the scratch memory's commands, too.
  [[nodiscard]] FbiProcessor& processor() { return processor_; }

 protected:
  FbiProcessor processor_;
};

class MediaUnit : public Inspectable {
 public:
  virtual void run(Cycle horizon) = 0;
  [[nodiscard]] virtual unsigned ports() const = 0;
};

}  // namespace nplab::simulator
