// A mapping under full load for long, measured window by window, to find what drifts, leaks or gets
// lost.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "experiments/run/prepared_run.h"
#include "reports/analysis/soak.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

struct SoakPlan {
  std::uint64_t window = 100'000;  // received packets that are measured together
  std::uint64_t packets = std::numeric_limits<std::uint64_t>::max();  // to receive at most
  std::optional<std::chrono::seconds> time = {};                      // to offer packets, at most
};

// Who is told about the run while it lasts. All are called in the thread of the run.
struct SoakWatcher {
  // Whether the traffic is to end now; the run then drains.
  std::function<bool()> stop;
  // What has been measured so far, and the share of the plan that is done.
  std::function<void(const reports::SoakRecord& record, double done)> progress;
  std::function<void(const reports::SoakRecord& record)> window_closed;
};

// The options of an experiment that soaks: it drains, and takes as many packets as the plan.
ExperimentOptions soaking(ExperimentOptions options);

// Runs it in this process, whose memory is what is measured.
reports::SoakRecord run_soak(const PreparedRun& prepared, const SoakPlan& plan,
                             const SoakWatcher& watcher, Diagnostics& diagnostics);

}  // namespace nplab::experiments
