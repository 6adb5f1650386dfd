#include "simulator/run/run_control.h"

#include <algorithm>
#include <limits>

namespace nplab::simulator {
namespace {

// How often the progress callback is called, in cycles.
constexpr Cycles kReportPeriod = 1 << 18;

}  // namespace

RunControl::RunControl(const SimulationInputs& inputs, const Watched& watched)
    : inputs_(inputs),
      watched_(watched),
      packets_wanted_(
          inputs.stop.packets_received.value_or(std::numeric_limits<std::uint64_t>::max())),
      last_(inputs.stop.at.value_or(Cycle::never())),
      next_report_(inputs.progress ? Cycle(kReportPeriod) : Cycle::never()),
      mode_(inputs.mode) {}

Cycle RunControl::deadline() const {
  if (inputs_.watchdog == 0)
    return Cycle::never();
  return std::max(watched_.watch.last_progress(), watched_from_) + inputs_.watchdog + 1;
}

// After a watch period without progress. Silence on the wire is not the program's fault. A frame
// that waits in the media device may have arrived late in the period: it is stuck if it still waits
// after another one.
bool RunControl::frames_are_stuck(Cycle done) {
  if (watched_.tracker.in_flight() != 0 || watched_.media.exhausted())
    return true;
  const bool waited_before = frames_waited_ && watched_.watch.last_progress() < watched_from_;
  frames_waited_ = watched_.media.frames_wait();
  watched_from_ = done;
  return frames_waited_ && waited_before;
}

bool RunControl::may_be_exhausted(Cycle now) {
  if (!inputs_.stop.drained || now < frames_come_until_)
    return false;
  frames_come_until_ = watched_.media.earliest_exhaustion();
  return now >= frames_come_until_;
}

bool RunControl::is_lockstep(Cycle now) {
  const auto& changes = inputs_.mode_changes;
  for (; next_change_ < changes.size() && changes[next_change_].from <= now; ++next_change_)
    mode_ = changes[next_change_].mode;
  // Once the last packet has left the media device, any annotation may be the last of the run.
  return mode_ == Mode::kLockstep || (may_be_exhausted(now) && watched_.media.exhausted());
}

Cycle RunControl::limit(Cycle now) {
  if (reports_seen_ == watched_.watch.reports() && now < quiet_until_)
    return quiet_until_;
  reports_seen_ = watched_.watch.reports();
  quiet_until_ = Cycle();
  const Cycle end = limit_anew(now);
  const bool may_end_any_time = may_be_exhausted(now) || is_last_packet();
  if (mode_ == Mode::kWindows && !may_end_any_time && !watched_.watch.fault())
    quiet_until_ = std::min(end, next_report_);
  return end;
}

Cycle RunControl::limit_anew(Cycle now) {
  if (is_lockstep(now))
    return now + 1;
  Cycle limit = std::min({last_, deadline(), watched_.samples.next()});
  if (watched_.activity != nullptr)
    limit = std::min(limit, watched_.activity->next());
  if (next_change_ < inputs_.mode_changes.size())
    limit = std::min(limit, inputs_.mode_changes[next_change_].from);
  if (may_be_exhausted(now) || is_last_packet())
    limit = std::min(limit, watched_.fbi.earliest_receipt() + 1);
  else if (inputs_.stop.drained)
    limit = std::min(limit, frames_come_until_);
  if (watched_.watch.fault())
    limit = std::min(limit, watched_.watch.fault()->at + kReach);
  return std::max(limit, now + 1);
}

bool RunControl::packets_over(Cycle done) {
  if (watched_.tracker.counters().received >= packets_wanted_)
    return true;
  if (!may_be_exhausted(done) || !watched_.media.exhausted() || watched_.tracker.in_flight() != 0)
    return false;
  if (!drained_from_)
    drained_from_ = done;
  return done >= *drained_from_ + inputs_.stop.settling;
}

bool RunControl::finished(Cycle done) {
  if (watched_.annotations.earliest() < done)
    watched_.annotations.release(Cycle(done.number() - 1));
  if (reports_seen_ == watched_.watch.reports() && done < quiet_until_)
    return false;
  if (done >= watched_.samples.next())
    watched_.samples.take();
  if (watched_.activity != nullptr && done >= watched_.activity->next())
    watched_.activity->take();
  if (watched_.watch.fault() && done >= watched_.watch.fault()->at + kReach)
    return true;
  if (done >= last_ || watched_.parts.live_threads() == 0 || packets_over(done))
    return true;
  deadlocked_ = done >= deadline() && frames_are_stuck(done);
  if (inputs_.progress && done >= next_report_) {
    inputs_.progress(
        {done, watched_.tracker.counters().received, watched_.tracker.counters().sent});
    next_report_ = done + kReportPeriod;
  }
  return deadlocked_;
}

}  // namespace nplab::simulator
