#include "experiments/studies/study_statistics.h"

#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>
#include <numeric>

namespace nplab::experiments {

MeanAndInterval mean_and_interval(const std::vector<double>& values, double confidence_pct) {
  assert(!values.empty() && "a mean of nothing");
  MeanAndInterval result;
  result.count = values.size();
  const auto count = static_cast<double>(values.size());
  result.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  if (values.size() == 1)
    return result;
  double squares = 0;
  for (const double value : values)
    squares += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(squares / (count - 1));
  // In double precision alone: valgrind cannot run the library's start-up in long double.
  using boost::math::policies::policy;
  using boost::math::policies::promote_double;
  const boost::math::students_t_distribution<double, policy<promote_double<false>>> distribution(
      count - 1);
  const double t = boost::math::quantile(distribution, (1 + confidence_pct / 100) / 2);
  result.half_width = t * result.deviation / std::sqrt(count);
  return result;
}

}  // namespace nplab::experiments
