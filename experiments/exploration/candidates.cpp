#include "experiments/exploration/candidates.h"

namespace nplab::experiments {

Candidates::Candidates(const Space& space, workloads::Random& random) : space_(space) {
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

}  // namespace nplab::experiments
