#include "experiments/exploration/estimator.h"

#include <algorithm>

namespace nplab::experiments {
namespace {

// A short run begins with empty queues, which a longer one forgets.
constexpr const char* kShortFeature = "short run";

}  // namespace

void Estimator::learn(const Point& point, RunLength length, const Outcome& outcome) {
  for (const std::string& feature : space_.features(point)) {
    Runs& runs = runs_[feature];
    ++runs.all;
    runs.failed += outcome.figures ? 0 : 1;
  }
  if (!outcome.figures)
    return;
  seen_[point] = *outcome.figures;
  lengths_[point] = length;
}

void Estimator::fit() {
  rate_ = correction(&MappingFigures::packets_per_s, &MappingFigures::packets_per_s);
  latency_ = correction(&MappingFigures::latency_p50_cycles, &MappingFigures::latency_p99_cycles);
}

Correction Estimator::correction(double MappingFigures::* predicted,
                                 double MappingFigures::* simulated) const {
  std::vector<Observation> observations;
  for (const auto& [point, figures] : seen_) {
    const double uncorrected = predictions_.estimate(point).*predicted;
    if (figures.*simulated <= 0 || uncorrected <= 0)
      continue;
    auto features = space_.features(point);
    if (lengths_.at(point) == RunLength::kShort)
      features.emplace_back(kShortFeature);
    observations.push_back({std::move(features), uncorrected, figures.*simulated});
  }
  return Correction(observations);
}

double Estimator::success(const std::vector<std::string>& features) const {
  double least = 1;
  for (const std::string& feature : features) {
    const auto at = runs_.find(feature);
    if (at == runs_.end())
      continue;
    const auto failed = static_cast<double>(at->second.failed);
    least = std::min(least, 1 - failed / static_cast<double>(at->second.all + 1));
  }
  return least;
}

MappingFigures Estimator::estimate(const Point& point) const {
  const MappingFigures uncorrected = predictions_.estimate(point);
  const auto features = space_.features(point);
  MappingFigures figures;
  figures.packets_per_s = rate_.corrected(uncorrected.packets_per_s, features) * success(features);
  figures.latency_p99_cycles = latency_.corrected(uncorrected.latency_p50_cycles, features);
  figures.engines = space_.structure(point).all_engines();
  return figures;
}

bool Estimator::is_tested(const Point& point) const {
  const auto features = space_.features(point);
  return std::all_of(features.begin(), features.end(), [&](const std::string& feature) {
    return !Space::is_of_axis(feature) || runs_.contains(feature);
  });
}

}  // namespace nplab::experiments
