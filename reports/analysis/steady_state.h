// Where a run's warm-up ends, and its rates and latencies without it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// How many of the first values to leave out so that the mean of the others is known best: MSER-5
// (White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics for
// simulation", Winter Simulation Conference 2000). Batches of five values are averaged; the
// truncation minimises the variance of the remaining batches over their number. A minimum in the
// second half says that the series may not have settled. If the means of its last two quarters
// differ by less than kDrift of the mean of both, it is noise: half of the series is left out.
// Otherwise `settled` is false.
inline constexpr double kDrift = 0.05;
struct Truncation {
  std::size_t values = 0;  // a multiple of five
  bool settled = false;
};
Truncation mser5(const std::vector<double>& values);

// The latest truncation of three series: packets received in each interval, packets sent, and
// packets in flight at its end. Not reached when one of them has not settled or the run has fewer
// than kFewestSamples samples; `from_cycle` is then MSER-5's best choice all the same.
// `sample` is the sample of from_cycle; nothing: cycle 0.
inline constexpr std::size_t kFewestSamples = 50;
struct WarmUp {
  Count from_cycle = 0;
  std::optional<std::size_t> sample;
  bool reached = false;
};
WarmUp warm_up_of(const Samples& samples);

// From cycle from_cycle to the stop: wire rates as record.rates_mbps defines them, and percentiles
// of `latencies`, those of all sent packets in the order of sending (empty: latencies stay 0).
Steady steady_state(const RunRecord& record, const std::vector<Count>& latencies);

// The record with the rates and latencies of its steady state in the place of the whole run's.
// Unchanged when none was reached.
RunRecord without_warm_up(RunRecord record);

// What a reader must know about rates and latencies of this run; empty when its warm-up is a small
// part of it.
std::string steady_sentence(const RunRecord& record);

}  // namespace nplab::reports
