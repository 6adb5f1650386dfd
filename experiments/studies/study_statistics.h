// The mean of repeated runs and how well it is known.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace nplab::experiments {

struct MeanAndInterval {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;              // standard deviation of the sample, divisor count - 1
  std::optional<double> half_width;  // of the interval; nothing of a single value
};

// The two-sided confidence interval of the mean from Student's t distribution with count - 1
// degrees of freedom: mean +- t * deviation / sqrt(count). It holds for values that are independent
// and nearly normal. `values` has one or more; `confidence_pct` lies between 0 and 100.
MeanAndInterval mean_and_interval(const std::vector<double>& values, double confidence_pct);

}  // namespace nplab::experiments
