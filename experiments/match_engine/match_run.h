// A workload that the match engine looks up: rules become its tables, every packet comes as soon as
// it is taken, rules may come and go meanwhile. Each verdict is compared with the reference
// classifier's, or with the rules that were in force, and the counters and time stamps of all rules
// with what the packets come to.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "experiments/match_engine/match_desk.h"
#include "experiments/match_engine/match_series.h"
#include "simulator/dram/command_trace.h"
#include "simulator/match_engine/cycle_observer.h"
#include "simulator/match_engine/description.h"
#include "support/diagnostics.h"
#include "workloads/workload.h"

namespace nplab::experiments {

struct MatchRunOptions {
  simulator::match::MatchDescription unit;
  MatchTraffic traffic{};
  mappings::SameKey same_key{};
  unsigned slot_bits = 24;  // 2^this home slots, and as many for chains
  simulator::dram::CommandObserver* commands = nullptr;  // of the memory; may be null
  simulator::match::CycleObserver* cycles = nullptr;     // of the unit; may be null
  std::function<void(double done)> progress = [](double) {};
};

// The published unit, its memory controllers' window calibrated (docs/match-engine.md).
simulator::match::MatchDescription published_match_unit();

struct MatchRunResult {
  std::string rule_set;
  std::size_t rules = 0;
  std::size_t entries = 0;
  std::size_t tuples = 0;
  std::size_t hidden_entries = 0;
  std::uint64_t chained_entries = 0;
  MatchAnswers answers;
  std::uint64_t inexact_rules = 0;  // whose packets, bytes or time stamp are not what was sent
  std::uint64_t cycles = 0;         // to the last verdict
  double megapackets_per_s = 0;
  double references_per_packet = 0;
  double latency_cycles = 0;  // mean
  double miss_percent = 0;
  double merged_percent = 0;  // of the misses
  std::uint64_t cancelled_reads = 0;
  double dram_percent_of_peak = 0;
  double dram_row_hit_percent = 0;
  std::uint64_t dram_reads = 0;
  std::uint64_t dram_writes = 0;
  std::vector<MatchSample> series;  // over time

  // Whether every verdict, update and counter is right.
  [[nodiscard]] bool is_right() const {
    return answers.misclassified == 0 && answers.wrong_updates == 0 && inexact_rules == 0;
  }
};

// Nothing, and diagnostics, when the rules do not fit the unit or the unit hangs.
std::optional<MatchRunResult> run_match_engine(const workloads::Workload& workload,
                                               const MatchRunOptions& options,
                                               Diagnostics& diagnostics);

}  // namespace nplab::experiments
