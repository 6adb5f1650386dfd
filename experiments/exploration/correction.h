// A correction of a model by what was simulated: factors of the choices that points share.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace nplab::experiments {

// What a point was predicted, or 1 without a prediction, and what its run showed, with the choices
// that it shares with others (Space::features).
struct Observation {
  std::vector<std::string> features;
  double predicted = 1;
  double simulated = 1;
};

// Multiplies a prediction by a factor for all points and one for each of its choices. Factors are
// fitted by backfitting (Friedman and Stuetzle, 1981) of an additive model of the logarithms; each
// is drawn towards 1 as if it had been seen kPrior times more with no effect.
class Correction {
 public:
  static constexpr double kPrior = 1;

  Correction() = default;
  explicit Correction(const std::vector<Observation>& observations);

  [[nodiscard]] double corrected(double predicted, const std::vector<std::string>& features) const;

 private:
  double common_ = 0;  // logarithms
  std::map<std::string, double> factors_;
};

}  // namespace nplab::experiments
