// The throughput of a mapping: the highest offered rate without more loss than is allowed (Bradner
// and McQuaid, "Benchmarking Methodology for Network Interconnect Devices", RFC 2544, 1999, 26.1).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "experiments/prepare/experiment_options.h"
#include "reports/record/run_record.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

struct ThroughputSearch {
  double allowed_loss_pct = 0;  // of the offered packets
  double resolution_pct = 1;    // of the line rate
};

struct ThroughputResult {
  reports::Throughput figures;
  double rate_mbps = 0;  // per port; the lowest that was tried when none passed
};

// Told the number of trials that are done and how many there will be at most.
using TrialProgress = std::function<void(std::size_t done, std::size_t of)>;

// Runs the mapping with `options` at constant rates: first at line rate, then by bisection. A trial
// passes when the packets that were lost for want of room (in the media device, a queue or a
// buffer) are at most the allowed share of the offered ones, and packets in flight did not grow by
// more than the resolution's share of those received in the second half of the run: they would be
// lost in a longer one. Nothing, and diagnostics, when the mapping cannot run.
std::optional<ThroughputResult> search_throughput(const std::string& mapping,
                                                  ExperimentOptions options,
                                                  const ThroughputSearch& search,
                                                  Diagnostics& diagnostics,
                                                  const TrialProgress& progress);

// What a run at `offered_mbps` shows; `passed` by the limits of `search`.
reports::ThroughputTrial judge_trial(const reports::RunRecord& record, double offered_mbps,
                                     const ThroughputSearch& search);

}  // namespace nplab::experiments
