// A run that can be stopped at any cycle, in both directions of time. Copies of its process stand
// still every so many cycles; to go back is to go on from the copy before, which leaves the very
// same state.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/debugging/run_image.h"

namespace nplab::experiments {

class TimeTravel {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  // Keeps a reference to the target.
  static std::optional<TimeTravel> start(const DebugTarget& target, Diagnostics& diagnostics);

  // Asked now and then during a search: false ends it where it is.
  using GoesOn = std::function<bool()>;

  enum class Why { kHit, kEnd, kBegin, kInterrupted, kLimit };
  struct Stop {
    Why why{};
    std::vector<Hit> hits;  // all of one cycle
    std::string end;        // why the run is over
  };
  // To the first hit after the present cycle. Without one to the end of the run, or to the cycle
  // that is the limit.
  Stop find_next(const StopPoints& stops, const GoesOn& goes_on, std::uint64_t limit = kNoLimit);
  // To the last hit before the present cycle. Without one to cycle 0, or to the limit.
  Stop find_last(const StopPoints& stops, const GoesOn& goes_on, std::uint64_t limit = 0) {
    return find_last_before(now(), stops, goes_on, limit);
  }
  // The same, but it may be at the present cycle: what the cycle before it did.
  Stop find_latest(const StopPoints& stops, const GoesOn& goes_on) {
    return find_last_before(now() + 1, stops, goes_on, 0);
  }
  // To the state before `cycle`, or that at the end of the run if it comes sooner.
  void go_to(std::uint64_t cycle);

  [[nodiscard]] std::uint64_t now() const { return live_.now(); }
  [[nodiscard]] bool is_over() const { return live_.is_over(); }
  // Why the run is over, once it has been at its end.
  [[nodiscard]] const std::string& end() const { return end_; }
  [[nodiscard]] bool is_alive() const { return live_.is_alive(); }
  // Of the chip at the present cycle (machine_view.h).
  nlohmann::json look(const nlohmann::json& request) { return live_.look(request); }
  // The state is another one from the present cycle on; what was known of later cycles is
  // forgotten, with the changes made there. Whoever goes back before the cycle and on again meets
  // it again.
  void change(std::vector<Change> changes);
  // What the program has printed to its console before the present cycle, unless it was taken
  // before.
  std::string take_printed();

 private:
  TimeTravel(RunImage begin, RunImage live) : live_(std::move(live)) {
    checkpoints_.emplace(0, std::move(begin));
  }
  // The first hits in the cycles from the present one to `to`; leaves the run anywhere in them.
  std::vector<Hit> first_in(const StopPoints& stops, std::uint64_t to,
                            const StopSearch::Bounds& bounds);
  std::vector<Hit> last_in(const StopPoints& stops, std::uint64_t to,
                           const StopSearch::Bounds& bounds);
  Stop find_last_before(std::uint64_t before, const StopPoints& stops, const GoesOn& goes_on,
                        std::uint64_t limit);
  Advanced advance(const Advance& how);
  void add_checkpoint();
  // A copy of where a search begins, from which the next one is likely to begin, too.
  void remember();
  // The latest copy at or before the cycle.
  [[nodiscard]] RunImage& copy_before(std::uint64_t cycle);

  RunImage live_;
  std::map<std::uint64_t, RunImage> checkpoints_;  // by cycle
  std::vector<RunImage> recent_;                   // the latest at the end
  std::uint64_t spacing_ = 250'000;                // cycles between two
  std::uint64_t furthest_ = 0;
  std::optional<std::uint64_t> limit_met_;  // where a search has just ended by its limit
  std::vector<Change> changes_;             // in the order of their cycles
  std::deque<Printed> printed_;             // before `furthest_`, and not taken
  std::string end_;
};

}  // namespace nplab::experiments
