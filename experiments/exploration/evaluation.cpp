#include "experiments/exploration/evaluation.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/exploration/point_file.h"
#include "experiments/run/isolated_runs.h"
#include "experiments/run/prepared_run.h"
#include "experiments/run/simulate.h"
#include "reports/analysis/bounds.h"
#include "support/temporary_folder.h"

namespace nplab::experiments {
namespace {

constexpr const char* kUnusedEngine = "off";  // the role of an engine without a program
constexpr const char* kRefused = "refused";   // kind of failure: the mapping or its programs

reports::RunRecord run_mapping_file(const std::string& mapping, const ExperimentOptions& options,
                                    const Progress& progress) {
  Diagnostics diagnostics;
  reports::RunRecord record;
  const auto prepared = prepare_run(mapping, options, diagnostics);
  if (prepared)
    record = simulate({prepared->experiment, prepared->programs, "", progress}, diagnostics);
  if (!prepared || diagnostics.has_errors()) {
    const auto& errors = diagnostics.errors();
    record.failure = {kRefused, errors.empty() ? "" : errors.front().message, {}};
  }
  // Long, and no figure.
  record.samples = {};
  record.sources.clear();
  record.programs.clear();
  return record;
}

Outcome outcome_of(const reports::RunRecord& record) {
  if (!record.failure)
    return {figures_of_run(record), ""};
  const reports::Failure& failure = *record.failure;
  const std::string detail = failure.details.empty() ? "" : ": " + failure.details.front();
  return {std::nullopt, failure.kind + ": " + failure.message + detail};
}

Outcome outcome_of(const std::optional<reports::RunRecord>& record) {
  if (record)
    return outcome_of(*record);
  return {std::nullopt, "the simulation's process ended before it had sent its record"};
}

// In the run's process.
reports::RunRecord run_job(const EvaluationInputs& inputs, const Job& job,
                           const Progress& progress) {
  Diagnostics diagnostics;
  reports::RunRecord record;
  const auto folder = TemporaryFolder::create("nplab-explore", diagnostics);
  const auto file =
      folder ? write_point(inputs.space, job.point, folder->path().string(), diagnostics) : "";
  if (diagnostics.has_errors()) {
    record.failure = {kRefused, diagnostics.to_string(), {}};
    return record;  // not of the point, so not in the journal
  }
  ExperimentOptions options = inputs.options;
  options.packets = job.packets;
  record = run_mapping_file(file, options, progress);
  inputs.journal.append(job, outcome_of(record));
  return record;
}

}  // namespace

Bound bound_of_run(const reports::RunRecord& record) {
  const auto bounds = reports::bounds_of(record);
  if (!bounds)
    return {};
  const reports::Bound& first = bounds->first;
  return {first.use.label, first.use.useful_pct, first.gain_pct};
}

MappingFigures figures_of_run(const reports::RunRecord& record) {
  const reports::Packets& packets = record.packets;
  const auto done =
      packets.sent + packets.denied + packets.no_match_dropped.value_or(packets.no_match);
  // As the transmit rate, from the first start of a packet on; where all are denied, of a received
  // one.
  const reports::FirstStart& first = record.first_start_cycle;
  const auto from = first.transmit ? *first.transmit : first.receive.value_or(0);
  MappingFigures figures;
  if (record.cycles.core > from) {
    figures.packets_per_s = static_cast<double>(done) * static_cast<double>(record.clocks.core_hz) /
                            static_cast<double>(record.cycles.core - from);
  }
  figures.latency_p50_cycles = static_cast<double>(record.latency_cycles.p50);
  figures.latency_p99_cycles = static_cast<double>(record.latency_cycles.p99);
  figures.engines = static_cast<unsigned>(
      std::count_if(record.engines.begin(), record.engines.end(),
                    [](const reports::Engine& engine) { return engine.role != kUnusedEngine; }));
  figures.bound = bound_of_run(record);
  return figures;
}

std::vector<Outcome> run_jobs(const EvaluationInputs& inputs, const std::vector<Job>& jobs,
                              const std::function<void(double)>& progress) {
  std::vector<IsolatedRun> runs;
  for (const Job& job : jobs) {
    runs.push_back({"a point of the space", [&inputs, &job](const Progress& of_run) {
                      return run_job(inputs, job, of_run);
                    }});
  }
  Diagnostics ended;  // told in the outcomes
  std::vector<Outcome> outcomes;
  for (const auto& record : run_isolated_each(runs, progress, ended))
    outcomes.push_back(outcome_of(record));
  return outcomes;
}

Outcome run_listed(const std::string& mapping, const ExperimentOptions& options) {
  Diagnostics ended;
  const auto records = run_isolated_each(
      {{mapping,
        [&](const Progress& progress) { return run_mapping_file(mapping, options, progress); }}},
      [](double) {}, ended);
  return outcome_of(records.front());
}

}  // namespace nplab::experiments
