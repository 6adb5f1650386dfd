// Decides how far windows may go and, between them, whether the run is over. A window ends in the
// very cycle in which the run may be over, so that a run stops there however long its windows are.
#pragma once

#include <algorithm>
#include <optional>

#include "simulator/base/window_control.h"
#include "simulator/chip/chip_parts.h"
#include "simulator/fbi/fbi.h"
#include "simulator/observe/run_activity.h"
#include "simulator/observe/run_annotations.h"
#include "simulator/observe/run_samples.h"
#include "simulator/run/run_watch.h"
#include "simulator/run/simulation.h"

namespace nplab::simulator {

class RunControl final : public WindowControl {
 public:
  // All outlive this.
  struct Watched {
    const ChipParts& parts;
    const RunWatch& watch;
    const MediaDevice& media;
    const FrameTracker& tracker;
    const Fbi& fbi;
    RunAnnotations& annotations;
    RunSamples& samples;
    RunActivity* activity;  // null: not collected
  };
  RunControl(const SimulationInputs& inputs, const Watched& watched);

  [[nodiscard]] WindowLimits limits(Cycle now) override {
    const Cycle end = limit(now);
    return {end, std::min(end, engines_limit(now))};
  }
  bool finished(Cycle done) override;

  [[nodiscard]] bool deadlocked() const { return deadlocked_; }

 private:
  [[nodiscard]] Cycle limit(Cycle now);
  [[nodiscard]] Cycle limit_anew(Cycle now);
  [[nodiscard]] bool is_lockstep(Cycle now);
  [[nodiscard]] bool packets_over(Cycle done);
  // Draining, and the media may be exhausted at `now`. Looks at the ports only when their wires can
  // have changed that.
  [[nodiscard]] bool may_be_exhausted(Cycle now);
  // The first cycle by whose beginning the run is a deadlock.
  [[nodiscard]] Cycle deadline() const;
  // No run ends before this cycle, whatever happens from `now` on: in a cycle at most one packet is
  // received.
  [[nodiscard]] Cycle engines_limit(Cycle now) const {
    const bool packets_missing = watched_.tracker.counters().received + kReach < packets_wanted_;
    return packets_missing && now < quiet_until_ ? quiet_until_ : now;
  }
  [[nodiscard]] bool is_last_packet() const {
    return watched_.tracker.counters().received + 1 >= packets_wanted_;
  }
  bool frames_are_stuck(Cycle done);

  const SimulationInputs& inputs_;
  Watched watched_;
  std::uint64_t packets_wanted_;
  Cycle last_;
  Cycle next_report_;
  std::optional<Cycle> drained_from_;
  Cycle frames_come_until_;     // not exhausted before
  Cycle watched_from_;          // the watch period begins here when no progress came later
  bool frames_waited_ = false;  // in the media device, at the end of the period before
  Mode mode_;
  std::size_t next_change_ = 0;  // of inputs_.mode_changes
  // Before this cycle nothing but what the watch reports can end the run, or its window.
  Cycle quiet_until_;
  std::uint64_t reports_seen_ = 0;
  bool deadlocked_ = false;
};

}  // namespace nplab::simulator
