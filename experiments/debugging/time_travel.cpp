#include "experiments/debugging/time_travel.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace nplab::experiments {
namespace {

constexpr std::uint64_t kFewCycles = 2'000;  // looked at one by one
constexpr std::uint64_t kParts = 8;          // into which a longer range is divided
constexpr std::size_t kMostCheckpoints = 64;
constexpr std::size_t kRecentCopies = 6;

}  // namespace

std::optional<TimeTravel> TimeTravel::start(const DebugTarget& target, Diagnostics& diagnostics) {
  auto begin = RunImage::start(target, diagnostics);
  auto live = begin ? begin->copy() : std::nullopt;
  if (!live) {
    diagnostics.error(without_lines(target.name), "cannot be started as a process");
    return std::nullopt;
  }
  return TimeTravel(std::move(*begin), std::move(*live));
}

// A search may go over cycles several times, and beyond where the run stops.
Advanced TimeTravel::advance(const Advance& how) {
  Advance with_changes = how;
  for (const Change& change : changes_)
    if (change.at > live_.now() && change.at <= how.to)
      with_changes.changes.push_back(change);
  Advanced done = live_.advance(with_changes);
  for (Printed& text : done.printed)
    if (text.first >= furthest_)
      printed_.push_back(std::move(text));
  furthest_ = std::max(furthest_, done.now);
  if (done.is_over)
    end_ = done.end;
  return done;
}

void TimeTravel::change(std::vector<Change> changes) {
  const std::uint64_t now = live_.now();
  std::erase_if(changes_, [&](const Change& other) { return other.at > now; });
  for (Change& one : changes) {
    one.at = now;
    changes_.push_back(one);
  }
  live_.change(changes);
  checkpoints_.erase(checkpoints_.lower_bound(std::max<std::uint64_t>(now, 1)), checkpoints_.end());
  if (now == 0)
    checkpoints_.begin()->second.change(changes);
  std::erase_if(recent_, [&](const RunImage& copy) { return copy.now() >= now; });
  std::erase_if(printed_, [&](const Printed& text) { return text.first >= now; });
  furthest_ = std::min(furthest_, now);
  limit_met_.reset();
  end_.clear();
}

std::string TimeTravel::take_printed() {
  std::string text;
  for (; !printed_.empty() && printed_.front().first < now(); printed_.pop_front())
    text += printed_.front().second;
  return text;
}

void TimeTravel::add_checkpoint() {
  const auto before = std::prev(checkpoints_.upper_bound(live_.now()));
  if (live_.is_over() || live_.now() < before->first + spacing_)
    return;
  if (auto copy = live_.copy())
    checkpoints_.emplace(live_.now(), std::move(*copy));
  if (checkpoints_.size() <= kMostCheckpoints)
    return;
  spacing_ *= 2;
  for (auto each = std::next(checkpoints_.begin()); each != checkpoints_.end();)
    each = each->first < std::prev(each)->first + spacing_ ? checkpoints_.erase(each)
                                                           : std::next(each);
}

void TimeTravel::remember() {
  const std::uint64_t now = live_.now();
  if (copy_before(now).now() == now)
    return;
  if (recent_.size() == kRecentCopies)
    recent_.erase(recent_.begin());
  if (auto copy = live_.copy())
    recent_.push_back(std::move(*copy));
}

RunImage& TimeTravel::copy_before(std::uint64_t cycle) {
  RunImage* best = &std::prev(checkpoints_.upper_bound(cycle))->second;
  for (RunImage& copy : recent_)
    if (copy.now() <= cycle && copy.now() > best->now())
      best = &copy;
  return *best;
}

void TimeTravel::go_to(std::uint64_t cycle) {
  limit_met_.reset();
  RunImage& nearest = copy_before(cycle);
  if (cycle < live_.now() || nearest.now() > live_.now()) {
    if (auto copy = nearest.copy())
      live_ = std::move(*copy);
  }
  while (live_.is_alive() && !live_.is_over() && live_.now() < cycle) {
    advance({std::min(cycle, live_.now() + spacing_)});
    add_checkpoint();
  }
}

std::vector<Hit> TimeTravel::first_in(const StopPoints& stops, std::uint64_t to,
                                      const StopSearch::Bounds& bounds) {
  const std::uint64_t from = live_.now();
  if (to - from <= kFewCycles)
    return advance({to, stops, StopSearch::Order::kFirst, bounds, true}).hits;
  auto begin = live_.copy();
  if (!begin)
    return {};
  const Advanced all = advance({to, stops, StopSearch::Order::kFirst, bounds, false});
  if (!all.may_have_missed)
    return all.hits;
  const std::uint64_t end = all.hits.empty() ? to : std::min(to, all.hits.front().at);
  live_ = std::move(*begin);
  const std::uint64_t part = std::max(kFewCycles, (end - from + kParts - 1) / kParts);
  while (!live_.is_over() && live_.now() < end) {
    if (auto hits = first_in(stops, std::min(end, live_.now() + part), bounds); !hits.empty())
      return hits;
  }
  return all.hits;
}

std::vector<Hit> TimeTravel::last_in(const StopPoints& stops, std::uint64_t to,
                                     const StopSearch::Bounds& bounds) {
  const std::uint64_t from = live_.now();
  if (to - from <= kFewCycles)
    return advance({to, stops, StopSearch::Order::kLast, bounds, true}).hits;
  auto begin = live_.copy();
  if (!begin)
    return {};
  const Advanced all = advance({to, stops, StopSearch::Order::kLast, bounds, false});
  if (!all.may_have_missed)
    return all.hits;
  // The parts' beginnings first, then from the last part to the first.
  const std::uint64_t part = std::max(kFewCycles, (to - from + kParts - 1) / kParts);
  std::vector<RunImage> begins;
  live_ = std::move(*begin);
  while (!live_.is_over() && live_.now() < to) {
    if (auto copy = live_.copy())
      begins.push_back(std::move(*copy));
    advance({std::min(to, live_.now() + part)});
  }
  for (; !begins.empty(); begins.pop_back()) {
    const std::uint64_t end = std::min(to, begins.back().now() + part);
    live_ = std::move(begins.back());
    if (auto hits = last_in(stops, end, bounds); !hits.empty())
      return hits;
  }
  return {};
}

TimeTravel::Stop TimeTravel::find_next(const StopPoints& stops, const GoesOn& goes_on,
                                       std::uint64_t limit) {
  // What a thread executes in the cycle of the last limit was not looked at.
  const bool goes_on_from_limit = std::exchange(limit_met_, std::nullopt) == now() && now() > 0;
  const StopSearch::Bounds bounds{now() - (goes_on_from_limit ? 1 : 0), kNoLimit};
  std::uint64_t stretch = kFewCycles;
  while (live_.is_alive() && !live_.is_over()) {
    const std::uint64_t from = live_.now();
    if (from >= limit) {
      limit_met_ = from;
      return {Why::kLimit, {}, {}};
    }
    remember();
    if (auto hits = first_in(stops, std::min(from + stretch, limit), bounds); !hits.empty()) {
      go_to(hits.front().at);
      return {Why::kHit, std::move(hits), {}};
    }
    add_checkpoint();
    if (!live_.is_over() && !goes_on())
      return {Why::kInterrupted, {}, {}};
    stretch = std::min(2 * stretch, spacing_);
  }
  return {Why::kEnd, {}, end_};
}

TimeTravel::Stop TimeTravel::find_last_before(std::uint64_t before, const StopPoints& stops,
                                              const GoesOn& goes_on, std::uint64_t limit) {
  const StopSearch::Bounds bounds{std::max<std::uint64_t>(limit, 1) - 1, before};
  std::uint64_t stretch = kFewCycles;
  std::uint64_t end = now();
  while (live_.is_alive() && end > 0 && end >= limit) {
    // Rounded, so that steps back one after another begin at the same copy.
    const std::uint64_t from = (end - std::min(end, stretch)) / kFewCycles * kFewCycles;
    go_to(from);
    remember();
    if (auto hits = last_in(stops, end, bounds); !hits.empty()) {
      go_to(hits.front().at);
      return {Why::kHit, std::move(hits), {}};
    }
    end = from;
    if (end > 0 && end >= limit && !goes_on()) {
      go_to(end);
      return {Why::kInterrupted, {}, {}};
    }
    stretch = std::min(2 * stretch, spacing_);
  }
  go_to(limit);
  return {limit > 0 ? Why::kLimit : Why::kBegin, {}, {}};
}

}  // namespace nplab::experiments
