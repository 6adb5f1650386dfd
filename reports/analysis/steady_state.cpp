#include "reports/analysis/steady_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reports/analysis/derive.h"

namespace nplab::reports {
namespace {

constexpr std::size_t kBatch = 5;
constexpr double kWarmUpWorthSaying = 5;  // percent of the run

std::vector<double> per_interval(const std::vector<Count>& totals) {
  std::vector<double> differences;
  Count before = 0;
  for (const Count total : totals) {
    differences.push_back(static_cast<double>(total - before));
    before = total;
  }
  return differences;
}

// Do the last two quarters differ?
bool drifts(const std::vector<double>& batches) {
  const std::size_t quarter = batches.size() / 4;
  const auto mean = [&](std::size_t from_end) {
    const auto end = batches.end() - static_cast<std::ptrdiff_t>(from_end);
    return std::accumulate(end - static_cast<std::ptrdiff_t>(quarter), end, 0.0) /
           static_cast<double>(quarter);
  };
  if (quarter == 0)
    return true;
  const double third = mean(quarter), fourth = mean(0);
  return std::abs(fourth - third) > kDrift * std::abs(third + fourth) / 2;
}

Count at(const std::vector<Count>& totals, const std::optional<std::size_t>& sample) {
  return sample ? totals[*sample] : 0;
}

}  // namespace

Truncation mser5(const std::vector<double>& values) {
  std::vector<double> batches;
  for (std::size_t i = 0; i + kBatch <= values.size(); i += kBatch) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(i);
    batches.push_back(std::accumulate(begin, begin + kBatch, 0.0) / kBatch);
  }
  // From the end, so that each truncation adds one batch to the sums. The last few batches alone
  // always look settled (White et al., section 3.4), and are no choice.
  double sum = 0, squares = 0, least = 0;
  std::size_t best = batches.size();
  for (std::size_t left_out = batches.size(); left_out-- > 0;) {
    sum += batches[left_out];
    squares += batches[left_out] * batches[left_out];
    const auto count = static_cast<double>(batches.size() - left_out);
    if (batches.size() - left_out < kBatch)
      continue;
    const double spread = std::max(0.0, squares - sum * sum / count) / (count * count);
    if (best == batches.size() || spread <= least) {
      best = left_out;
      least = spread;
    }
  }
  if (best == batches.size())
    return {};
  if (2 * best <= batches.size())
    return {best * kBatch, true};
  if (drifts(batches))
    return {best * kBatch, false};
  return {batches.size() / 2 * kBatch, true};
}

WarmUp warm_up_of(const Samples& samples) {
  WarmUp warm_up;
  std::vector<double> in_flight(samples.in_flight.begin(), samples.in_flight.end());
  std::size_t left_out = 0;
  warm_up.reached = samples.in_flight.size() >= kFewestSamples;
  for (const auto& series :
       {per_interval(samples.received), per_interval(samples.sent), in_flight}) {
    const Truncation truncation = mser5(series);
    left_out = std::max(left_out, truncation.values);
    warm_up.reached = warm_up.reached && truncation.settled;
  }
  warm_up.from_cycle = left_out * samples.interval_cycles;
  if (left_out > 0)
    warm_up.sample = left_out - 1;
  return warm_up;
}

Steady steady_state(const RunRecord& record, const std::vector<Count>& latencies) {
  const Samples& samples = record.samples;
  const WarmUp warm_up = warm_up_of(samples);
  Steady steady{warm_up.from_cycle, warm_up.reached, {}, {}};
  Count received_bytes = 0, sent_bytes = 0;
  for (const Port& port : record.ports) {
    received_bytes += port.frame_bytes.receive;
    sent_bytes += port.frame_bytes.transmit;
  }
  const auto rate = [&](Count packets, const std::vector<Count>& sampled, Count bytes,
                        const std::vector<Count>& sampled_bytes,
                        const std::optional<Count>& first_start) {
    if (!first_start)
      return 0.0;
    return wire_mbps(
        packets - at(sampled, warm_up.sample), bytes - at(sampled_bytes, warm_up.sample),
        std::max(warm_up.from_cycle, *first_start), record.cycles.core, record.clocks.core_hz);
  };
  steady.rates_mbps = {rate(record.packets.received, samples.received, received_bytes,
                            samples.received_bytes, record.first_start_cycle.receive),
                       rate(record.packets.sent, samples.sent, sent_bytes, samples.sent_bytes,
                            record.first_start_cycle.transmit)};
  const Count sent_before = at(samples.sent, warm_up.sample);
  if (sent_before < latencies.size()) {
    steady.latency_cycles = summarise_latencies(
        {latencies.begin() + static_cast<std::ptrdiff_t>(sent_before), latencies.end()});
  }
  return steady;
}

RunRecord without_warm_up(RunRecord record) {
  if (!record.steady || !record.steady->reached)
    return record;
  record.rates_mbps = record.steady->rates_mbps;
  record.latency_cycles = record.steady->latency_cycles;
  record.steady->warm_up_discarded = true;
  return record;
}

std::string steady_sentence(const RunRecord& record) {
  if (!record.steady || record.samples.in_flight.empty())
    return "";
  const auto& in_flight = record.samples.in_flight;
  if (!record.steady->reached) {
    return fmt::format(
        "no steady state was reached: {} packets were in flight at the stop and {} "
        "at half time; rates and latencies depend on the length of the run",
        record.packets.in_flight, in_flight[in_flight.size() / 2]);
  }
  const double share = percentage(record.steady->from_cycle, record.cycles.core);
  if (record.steady->warm_up_discarded) {
    return fmt::format(
        "rates and latencies are those from cycle {} on; the warm-up before, {:.0f} "
        "% of the run (MSER-5), is left out",
        record.steady->from_cycle, share);
  }
  if (share < kWarmUpWorthSaying)
    return "";
  return fmt::format(
      "the warm-up takes the first {} cycles, {:.0f} % of the run (MSER-5); "
      "--warm-up discard leaves it out of rates and latencies",
      record.steady->from_cycle, share);
}

}  // namespace nplab::reports
