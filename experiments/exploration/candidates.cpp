#include "experiments/exploration/candidates.h"

#include <algorithm>
#include <string>

namespace nplab::experiments {

Candidates::Candidates(const Space& space, const PointPredictor& predictor,
                       workloads::Random& random)
    : space_(space), predictor_(predictor) {
  const std::size_t structures = space.structures().size();
  if (space.points() <= kMostCandidates) {
    add_all();
  } else if (structures <= kMostCandidates) {
    for (std::size_t structure = 0; structure < structures; ++structure)
      add(space.start(structure));
  } else {
    for (std::size_t i = 0; i < kMostCandidates; ++i)
      add(space.start(random.below(structures)));
  }
  predict(open(), kMostPredictions);
}

void Candidates::add_all() {
  space_.for_each([&](const Point& point) {
    add(point);
    return true;
  });
  holds_all_ = true;
}

std::vector<Point> Candidates::open() const {
  std::vector<Point> points;
  for (const auto& [point, known] : known_) {
    if (known.is_legal && !known.is_taken)
      points.push_back(point);
  }
  return points;
}

bool Candidates::add(const Point& point) {
  const auto [at, is_new] = known_.try_emplace(point);
  Known& known = at->second;
  if (is_new)
    known.is_legal = space_.is_legal(point);
  return known.is_legal && !known.is_taken;
}

void Candidates::predict(const std::vector<Point>& points, std::size_t most) {
  if (!predictor_)
    return;
  std::map<std::string, std::vector<Point>> kinds;
  for (const Point& point : points) {
    if (!known_.at(point).was_asked)
      kinds[space_.kind(point)].push_back(point);
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
      if (i < of_kind.size() && asked++ < most)
        ask(of_kind[i]);
    }
  }
}

void Candidates::ask(const Point& point) {
  Known& known = known_.at(point);
  known.was_asked = true;
  known.predicted = predictor_(point);
  if (!known.predicted)
    return;
  ++predictions_;
  sum_.packets_per_s += known.predicted->packets_per_s;
  sum_.latency_p50_cycles += known.predicted->latency_p50_cycles;
  balance_ += space_.balance(point);
}

MappingFigures Candidates::mean_prediction() const {
  const auto count = static_cast<double>(std::max<std::size_t>(predictions_, 1));
  MappingFigures mean;
  mean.packets_per_s = sum_.packets_per_s / count;
  mean.latency_p50_cycles = sum_.latency_p50_cycles / count;
  return mean;
}

double Candidates::mean_balance() const {
  return balance_ / static_cast<double>(std::max<std::size_t>(predictions_, 1));
}

}  // namespace nplab::experiments
