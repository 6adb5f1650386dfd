#include "experiments/exploration/predictions.h"

#include <algorithm>
#include <string>

namespace nplab::experiments {

void Predictions::add_profile(const Point& point) {
  if (has_model() && !has_profile(point))
    tails_.push_back(Space::tail_of(point));
}

bool Predictions::has_profile(const Point& point) const {
  return std::find(tails_.begin(), tails_.end(), Space::tail_of(point)) != tails_.end();
}

std::optional<Point> Predictions::with_profile(const Point& point) const {
  const Tail own = Space::tail_of(point);
  const Tail* nearest = nullptr;
  std::size_t least = own.size() + 1;
  for (const Tail& tail : tails_) {
    std::size_t differing = 0;
    for (std::size_t axis = 0; axis < own.size(); ++axis)
      differing += own[axis] == tail[axis] ? 0 : 1;
    if (differing <= least) {
      nearest = &tail;
      least = differing;
    }
  }
  if (nearest == nullptr)
    return std::nullopt;
  Point other = point;
  std::copy(nearest->begin(), nearest->end(),
            other.end() - static_cast<std::ptrdiff_t>(own.size()));
  return other;
}

void Predictions::predict(const std::vector<Point>& points, std::size_t most) {
  std::map<std::string, std::vector<Point>> kinds;
  for (const Point& point : points) {
    const auto profiled = with_profile(point);
    if (profiled && !asked_.contains(*profiled))
      kinds[space_.kind(point)].push_back(*profiled);
  }
  std::size_t longest = 0;
  for (auto& [kind, of_kind] : kinds) {
    std::stable_sort(of_kind.begin(), of_kind.end(), [&](const Point& a, const Point& b) {
      return space_.balance(a) > space_.balance(b);
    });
    longest = std::max(longest, of_kind.size());
  }
  std::size_t asked = 0;
  for (std::size_t i = 0; i < longest; ++i) {
    for (const auto& [kind, of_kind] : kinds) {
      if (i < of_kind.size() && asked < most && !asked_.contains(of_kind[i])) {
        ask(of_kind[i]);
        ++asked;
      }
    }
  }
}

void Predictions::ask(const Point& point) {
  const auto& figures = asked_[point] = predictor_(point);
  if (!figures)
    return;
  ++predictions_;
  sum_.packets_per_s += figures->packets_per_s;
  sum_.latency_p50_cycles += figures->latency_p50_cycles;
  balance_ += space_.balance(point);
}

std::optional<MappingFigures> Predictions::predicted(const Point& point) const {
  const auto at = asked_.find(point);
  return at == asked_.end() ? std::nullopt : at->second;
}

MappingFigures Predictions::estimate(const Point& point) const {
  if (const auto profiled = with_profile(point)) {
    if (const auto figures = predicted(*profiled))
      return *figures;
  }
  MappingFigures figures;
  figures.packets_per_s = space_.balance(point);
  figures.latency_p50_cycles = 1;
  if (predictions_ == 0)
    return figures;
  figures.packets_per_s *= sum_.packets_per_s / balance_;
  figures.latency_p50_cycles = sum_.latency_p50_cycles / static_cast<double>(predictions_);
  return figures;
}

}  // namespace nplab::experiments
