#include "experiments/run/throughput.h"

#include <algorithm>
#include <cmath>

#include "experiments/run/prepared_run.h"
#include "reports/analysis/derive.h"
#include "workloads/traffic/arrival.h"

namespace nplab::experiments {
namespace {

using workloads::kLineRateMbps;
using workloads::kLowestRateMbps;

class Bisection {
 public:
  Bisection(const std::string& mapping, ExperimentOptions options, const ThroughputSearch& search,
            Diagnostics& diagnostics, const TrialProgress& progress)
      : mapping_(mapping),
        options_(std::move(options)),
        search_(search),
        diagnostics_(diagnostics),
        progress_(progress),
        most_trials_(1 +
                     static_cast<std::size_t>(std::ceil(std::log2(100 / search.resolution_pct)))) {
    result_.figures.allowed_loss_pct = search.allowed_loss_pct;
    result_.figures.resolution_pct = search.resolution_pct;
  }

  std::optional<ThroughputResult> run() {
    double passed = 0, failed = kLineRateMbps;
    const auto at_line_rate = trial(failed);
    if (!at_line_rate)
      return std::nullopt;
    while (!*at_line_rate && failed - passed > search_.resolution_pct / 100 * kLineRateMbps) {
      const double middle = std::max(kLowestRateMbps, (passed + failed) / 2);
      const auto outcome = trial(middle);
      if (!outcome)
        return std::nullopt;
      (*outcome ? passed : failed) = middle;
    }
    if (result_.rate_mbps == 0)
      result_.rate_mbps = failed;
    return std::move(result_);
  }

 private:
  // Whether the rate passes; nothing when the mapping cannot run.
  std::optional<bool> trial(double rate_mbps) {
    if (progress_)
      progress_(result_.figures.trials.size(), most_trials_);
    options_.arrival = workloads::Arrival{workloads::Arrival::Process::kConstant, rate_mbps};
    const auto prepared = prepare_run(mapping_, options_, diagnostics_);
    if (!prepared)
      return std::nullopt;
    const auto records = run_isolated({isolated_run(*prepared, {})}, [](double) {}, diagnostics_);
    if (!records)
      return std::nullopt;
    const reports::RunRecord& record = records->front();
    if (record.failure) {
      diagnostics_.error(without_lines("--throughput"), record.failure->message);
      return std::nullopt;
    }
    const double offered =
        rate_mbps * static_cast<double>(prepared->experiment.workload.ports_in.size());
    const auto judged = judge_trial(record, offered, search_);
    result_.figures.trials.push_back(judged);
    if (judged.passed && rate_mbps > result_.rate_mbps) {
      result_.rate_mbps = rate_mbps;
      result_.figures.offered_mbps = offered;
    }
    return judged.passed;
  }

  const std::string& mapping_;
  ExperimentOptions options_;
  const ThroughputSearch& search_;
  Diagnostics& diagnostics_;
  const TrialProgress& progress_;
  std::size_t most_trials_;
  ThroughputResult result_;
};

}  // namespace

reports::ThroughputTrial judge_trial(const reports::RunRecord& record, double offered_mbps,
                                     const ThroughputSearch& search) {
  const reports::Packets& packets = record.packets;
  const auto no_buffer = packets.dropped_other.find("no_buffer");
  const reports::Count lost = packets.missed_by_media + packets.dropped_queue_full +
                              (no_buffer == packets.dropped_other.end() ? 0 : no_buffer->second);
  reports::ThroughputTrial trial;
  trial.offered_mbps = offered_mbps;
  trial.loss_pct = reports::percentage(lost, packets.offered);
  const auto& samples = record.samples;
  if (!samples.in_flight.empty()) {
    const std::size_t half = samples.in_flight.size() / 2;
    const reports::Count before = samples.in_flight[half], after = samples.in_flight.back();
    const reports::Count received = samples.received.back() - samples.received[half];
    if (after > before)
      trial.accumulation_pct = reports::percentage(after - before, received);
  }
  trial.passed =
      trial.loss_pct <= search.allowed_loss_pct && trial.accumulation_pct <= search.resolution_pct;
  return trial;
}

std::optional<ThroughputResult> search_throughput(const std::string& mapping,
                                                  ExperimentOptions options,
                                                  const ThroughputSearch& search,
                                                  Diagnostics& diagnostics,
                                                  const TrialProgress& progress) {
  return Bisection(mapping, std::move(options), search, diagnostics, progress).run();
}

}  // namespace nplab::experiments
