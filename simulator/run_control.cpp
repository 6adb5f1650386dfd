#include "simulator/run_control.h"

#include <algorithm>
#include <limits>

namespace nplab::simulator {
namespace {

// How often the progress callback is called, in cycles.
constexpr Cycles kReportPeriod = 1 << 18;
// How often to look without progress, in cycles: at drops, which may leave a drained chip, and at the watchdog.
constexpr Cycles kLookPeriod = 64;

}  // namespace

RunControl::RunControl(const SimulationInputs& inputs, const ChipParts& parts, const RunWatch& watch,
                       const MediaDevice& media, const FrameTracker& tracker)
    : inputs_(inputs),
      parts_(parts),
      watch_(watch),
      media_(media),
      tracker_(tracker),
      packets_wanted_(inputs.stop.packets_received.value_or(std::numeric_limits<std::uint64_t>::max())),
      last_(inputs.stop.at.value_or(Cycle::never())),
      next_report_(kReportPeriod) {}

bool RunControl::drained() const {
  return tracker_.in_flight() == 0 && media_.exhausted();
}

Cycle RunControl::watched_since() const {
  return std::max(watch_.last_progress(), watched_from_);
}

// Behind a watch period without progress. Silence on the wire is none of the program's. A frame that waits in the media
// device came at some time within the period: it is stuck when it still waits behind another period.
bool RunControl::frames_are_stuck(Cycle done) {
  if (tracker_.in_flight() != 0 || media_.exhausted()) return true;
  const bool waited_before = frames_waited_ && watch_.last_progress() < watched_from_;
  frames_waited_ = media_.frames_wait();
  watched_from_ = done;
  return frames_waited_ && waited_before;
}

bool RunControl::look(Cycle done) {
  progress_seen_ = watch_.last_progress();
  if (watch_.fault()) return true;
  if (tracker_.counters().received >= packets_wanted_ || done >= last_) return true;
  if (parts_.live_threads() == 0) return true;
  if (inputs_.stop.drained && drained()) return true;
  if (inputs_.watchdog != 0 && done - watched_since() > inputs_.watchdog && frames_are_stuck(done)) {
    deadlocked_ = true;
    return true;
  }
  if (inputs_.progress && done >= next_report_) {
    inputs_.progress({done, tracker_.counters().received, tracker_.counters().sent});
    next_report_ = done + kReportPeriod;
  }
  next_look_ = std::min(done + kLookPeriod, last_);
  return false;
}

}  // namespace nplab::simulator
