// Looks at a run between two cycles and says when it wants to look again: what a debugger needs.
// A run that is visited has the same cycles as one that is not.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "simulator/base/fault.h"
#include "simulator/base/time.h"
#include "simulator/base/window_control.h"
#include "simulator/chip/chip_parts.h"
#include "simulator/fbi/fbi.h"
#include "simulator/fbi/frame_tracker.h"
#include "simulator/observe/ring_watch.h"
#include "simulator/observe/run_annotations.h"
#include "simulator/run/run_watch.h"

namespace nplab::simulator {

class RunVisitor {
 public:
  struct View {
    Cycle now;             // all parts have done the cycles before it, and no other
    bool is_over = false;  // the run is: no further cycle comes
    bool deadlocked = false;
    const ChipParts& parts;
    Fbi& fbi;
    const FrameTracker& frames;
    const RunAnnotations& annotations;
    const RunWatch& watch;
    const std::vector<RingCounters>& rings;  // of software, in the order of the inputs
  };

  virtual ~RunVisitor() = default;
  // First before cycle 0. Returns the cycle before which it is called next at the latest, later
  // than `now`; of a run that is over it does not count.
  virtual Cycle visit(const View& view) = 0;
};

// Ends windows where the visitor wants to look. All arguments outlive this.
class VisitedControl final : public WindowControl {
 public:
  struct Watched {
    WindowControl& control;
    const ChipParts& parts;
    Fbi& fbi;
    const FrameTracker& frames;
    const RunAnnotations& annotations;
    const RunWatch& watch;
    const std::vector<RingCounters>& rings;
    std::function<bool()> deadlocked;
  };
  VisitedControl(RunVisitor& visitor, Watched watched)
      : visitor_(visitor), watched_(std::move(watched)) {}

  [[nodiscard]] WindowLimits limits(Cycle now) override {
    if (now >= next_)
      next_ = visit(now, false);
    const WindowLimits limits = watched_.control.limits(now);
    return {std::min(limits.end, next_), std::min(limits.engines, next_)};
  }

  bool finished(Cycle done) override {
    const bool is_over = watched_.control.finished(done);
    if (is_over)
      visit(done, true);
    return is_over;
  }

 private:
  Cycle visit(Cycle now, bool is_over) {
    watched_.parts.catch_up(now);
    return visitor_.visit({now, is_over, is_over && watched_.deadlocked(), watched_.parts,
                           watched_.fbi, watched_.frames, watched_.annotations, watched_.watch,
                           watched_.rings});
  }

  RunVisitor& visitor_;
  Watched watched_;
  Cycle next_;
};

}  // namespace nplab::simulator
