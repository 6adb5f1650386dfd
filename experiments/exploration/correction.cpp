#include "experiments/exploration/correction.h"

#include <cmath>

namespace nplab::experiments {
namespace {

constexpr int kSweeps = 30;  // each reduces what is left; further ones change no third digit

}  // namespace

Correction::Correction(const std::vector<Observation>& observations) {
  if (observations.empty())
    return;
  std::vector<double> left;  // logarithm of simulated / (predicted x factors)
  std::map<std::string, std::vector<std::size_t>> with;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    left.push_back(std::log(observations[i].simulated / observations[i].predicted));
    for (const std::string& feature : observations[i].features)
      with[feature].push_back(i);
  }
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double sum = 0;
    for (const double one : left)
      sum += one;
    const double change = sum / static_cast<double>(left.size());
    common_ += change;
    for (double& one : left)
      one -= change;
    for (const auto& [feature, indices] : with) {
      double& factor = factors_[feature];
      double of_feature = 0;
      for (const std::size_t i : indices)
        of_feature += left[i] + factor;
      const double fitted = of_feature / (static_cast<double>(indices.size()) + kPrior);
      for (const std::size_t i : indices)
        left[i] += factor - fitted;
      factor = fitted;
    }
  }
}

double Correction::corrected(double predicted, const std::vector<std::string>& features) const {
  double logarithm = common_;
  for (const std::string& feature : features) {
    const auto at = factors_.find(feature);
    logarithm += at == factors_.end() ? 0 : at->second;
  }
  return predicted * std::exp(logarithm);
}

}  // namespace nplab::experiments
