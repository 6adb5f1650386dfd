// Decides behind every cycle whether the run is over. Packets and ending threads report progress, so
// that all but the watchdog, the last cycle and drops need a look only then.
#pragma once

#include <functional>
#include <optional>

#include "simulator/chip_parts.h"
#include "simulator/run_watch.h"
#include "simulator/simulation.h"

namespace nplab::simulator {

class RunControl {
 public:
  // All outlive this.
  RunControl(const SimulationInputs& inputs, const ChipParts& parts, const RunWatch& watch, const MediaDevice& media,
             const FrameTracker& tracker);

  // Cycles before `done` are over. Cheap: most cycles only compare numbers.
  bool finished(Cycle done) {
    const bool quiet = watch_.last_progress() == progress_seen_ && done < next_look_;
    if (quiet && !watch_.fault()) return false;
    return look(done);
  }

  [[nodiscard]] bool deadlocked() const { return deadlocked_; }

 private:
  bool look(Cycle done);
  // The beginning of the watch period under way.
  [[nodiscard]] Cycle watched_since() const;
  bool frames_are_stuck(Cycle done);
  [[nodiscard]] bool drained() const;

  const SimulationInputs& inputs_;
  const ChipParts& parts_;
  const RunWatch& watch_;
  const MediaDevice& media_;
  const FrameTracker& tracker_;
  std::uint64_t packets_wanted_;
  Cycle last_;
  Cycle progress_seen_;
  Cycle next_look_;
  Cycle next_report_;
  Cycle watched_from_;          // the watch period begins here when no progress came later
  bool frames_waited_ = false;  // in the media device, at the end of the period before
  bool deadlocked_ = false;
};

}  // namespace nplab::simulator
