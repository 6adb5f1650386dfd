// Bursts of equal headers as ClassBench's trace generator draws them.
#pragma once

#include <cstdint>

#include "workloads/base/random.h"

namespace nplab::workloads {

// Pareto's distribution: P(X > x) = (scale / x)^shape for x >= scale. In thousandths and
// millionths, so that draws need no floating-point function of the platform.
struct ParetoBursts {
  std::uint64_t shape_thousandths = 1000;
  std::uint64_t scale_millionths = 0;  // 0: every header once
};

// How often a header is sent in a row: X rounded up, at least 1 and at most `most`.
std::uint64_t draw_burst(const ParetoBursts& bursts, std::uint64_t most, Random& random);

}  // namespace nplab::workloads
