// The ready-bus sequencer's automatic push: with every sample of the ports' readiness, the
// receive-ready flags and the number of the sample go to three SRAM read-transfer registers of one
// thread, which gets the event auto_push, so that it polls without references. While a push is
// under way the input state push_protect is set: the registers are about to change. That there is
// such a push, its event and its state are recalled from the manual; the layout of its control
// register and of the data are our own, and its latency is that of a register that is read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "simulator/base/command.h"
#include "simulator/base/ids.h"
#include "simulator/base/state_hash.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

// What software writes to rcv_rdy_cnt.
struct AutoPushControl {
  ThreadId thread;     // bits 8..0, its number
  bool is_on = false;  // bit 9
  unsigned first = 0;  // bits 14..12: the first register of the thread

  // `stride`: from one engine's thread numbers to the next one's.
  static AutoPushControl decode(std::uint32_t longword, unsigned stride) {
    return {ThreadId(longword & kThreadField, stride), (longword >> 9 & 1) != 0,
            longword >> 12 & 7};
  }
};

class AutoPush {
 public:
  static constexpr unsigned kLongwords = 3;
  static constexpr unsigned kMostFirst = 8 - kLongwords;

  // `period`: between two samples; `latency`: from a sample to the data in the registers and the
  // event. Both cycles.
  AutoPush(Cycles period, Cycles latency) : period_(period), latency_(latency) {}

  // Takes effect with the first sample after cycle `at`.
  void configure(const AutoPushControl& control, Cycle at) {
    control_ = control;
    next_sample_ = control.is_on ? Cycle((at.number() / period_ + 1) * period_) : Cycle::never();
  }
  // The next sample that is pushed; never() when it is off.
  [[nodiscard]] Cycle next_sample() const { return next_sample_; }
  // No push still to be given arrives before this cycle.
  [[nodiscard]] Cycle earliest_arrival() const {
    return next_sample_ == Cycle::never() ? next_sample_ : next_sample_ + latency_;
  }
  // The sample of cycle `at` is on its way; gives when it arrives.
  Cycle begin(Cycle at) {
    protected_until_ = at + latency_;
    next_sample_ = at + period_;
    protected_from_ = at;
    return protected_until_;
  }
  // push_protect in cycle `at`, by what lies before it.
  [[nodiscard]] bool protects(Cycle at) const {
    return protected_from_ < at && at <= protected_until_;
  }

  [[nodiscard]] ThreadId thread() const { return control_.thread; }
  [[nodiscard]] TransferRegister first() const {
    return {TransferRegister::File::kSram,
            static_cast<std::uint8_t>(control_.thread.context.index() * 8 + control_.first)};
  }

  void hash(StateHash& hash) const {
    hash.add(next_sample_);
    hash.add(protected_until_);
    hash.add(control_.thread.place() << 4 | control_.first);
  }

 private:
  Cycles period_;
  Cycles latency_;
  AutoPushControl control_;
  Cycle next_sample_ = Cycle::never();
  Cycle protected_from_;
  Cycle protected_until_;
};

}  // namespace nplab::simulator
