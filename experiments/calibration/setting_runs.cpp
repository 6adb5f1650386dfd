#include "experiments/calibration/setting_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/calibration/steady_extension.h"
#include "experiments/prepare/data_files.h"
#include "experiments/run/isolated_runs.h"
#include "experiments/run/prepared_run.h"
#include "experiments/run/simulate.h"
#include "mappings/files/mapping_file.h"

namespace nplab::experiments {
namespace {

constexpr std::size_t kRequestsAtOnce = 32;  // their records are in memory together

// What the requests are of: the names of each mapping's queues.
std::optional<std::map<std::string, std::vector<std::string>>> queues_of(
    const std::vector<std::string>& mappings, Diagnostics& diagnostics) {
  std::map<std::string, std::vector<std::string>> queues;
  for (const std::string& mapping : mappings) {
    const auto path =
        find_data_file(DataKind::kMapping, mapping, without_lines(mapping), diagnostics);
    const auto file = path ? mappings::read_mapping_file(*path, {}, diagnostics) : std::nullopt;
    if (!file)
      return std::nullopt;
    for (const mappings::QueueEntry& queue : file->queues)
      queues[mapping].push_back(queue.name);
  }
  return queues;
}

reports::RunRecord short_record(reports::RunRecord record, const Calibration& calibration) {
  if (record.failure)
    return record;
  auto extended =
      extended_to(record, calibration.size.packets, calibration.rule.steady_share / 100);
  if (extended)
    return std::move(*extended);
  record.failure = {"extension", "the last part of the run received nothing", {}};
  return record;
}

reports::RunRecord run_one(const Calibration& calibration, const std::string& mapping,
                           const ExperimentOptions& options, RunLength length,
                           const Progress& progress) {
  const auto run = [&](const PreparedRun& prepared, Diagnostics& diagnostics) {
    SimulationRequest request{prepared.experiment, prepared.programs, "", progress};
    request.activity = length == RunLength::kShort;
    auto record = simulate(request, diagnostics);
    return length == RunLength::kShort ? short_record(std::move(record), calibration) : record;
  };
  auto record = prepare_and_run(mapping, options, run);
  record.activity.reset();  // long, and no figure
  record.samples = {};
  record.lines.clear();
  record.sources.clear();
  record.programs.clear();
  return record;
}

std::string message_of(const reports::Failure& failure) {
  const std::string text = failure.details.empty() ? "" : ": " + failure.details.front();
  return failure.message + text;
}

void take(const std::optional<reports::RunRecord>& record, const std::string& mapping,
          SettingOutcome& outcome) {
  if (!record)
    outcome.failures[mapping] = "the simulation's process ended before it had sent its record";
  else if (record->failure && record->failure->kind == kRefusedInput)
    outcome.refused[mapping] = record->failure->message;
  else if (record->failure)
    outcome.failures[mapping] = message_of(*record->failure);
  else
    outcome.figures[mapping] = figures_of(*record);
}

}  // namespace

std::optional<std::vector<SettingOutcome>> run_settings(const Calibration& calibration,
                                                        const std::vector<std::string>& mappings,
                                                        const std::vector<SettingRequest>& requests,
                                                        RunLength length,
                                                        const std::function<void(double)>& progress,
                                                        Diagnostics& diagnostics) {
  const auto queues = queues_of(mappings, diagnostics);
  if (!queues)
    return std::nullopt;
  std::vector<SettingOutcome> outcomes(requests.size());
  for (std::size_t first = 0; first < requests.size(); first += kRequestsAtOnce) {
    const std::size_t end = std::min(requests.size(), first + kRequestsAtOnce);
    std::vector<IsolatedRun> runs;
    for (std::size_t i = first; i < end; ++i) {
      for (const std::string& mapping : mappings) {
        ExperimentOptions options;
        options.packets =
            length == RunLength::kShort ? calibration.size.short_packets : calibration.size.packets;
        if (requests[i].setting)
          options.set = overrides_of(calibration.parameters, *requests[i].setting, mapping,
                                     queues->at(mapping), requests[i].chip);
        runs.push_back({fmt::format("setting {} of {}", i, mapping),
                        [&calibration, mapping, options, length](const Progress& of_run) {
                          return run_one(calibration, mapping, options, length, of_run);
                        }});
      }
    }
    Diagnostics ended;  // told in the outcomes
    const auto records = run_isolated_each(
        runs,
        [&](double done) {
          progress((static_cast<double>(first) + done * static_cast<double>(end - first)) /
                   static_cast<double>(requests.size()));
        },
        ended);
    for (std::size_t i = 0; i < records.size(); ++i)
      take(records[i], mappings[i % mappings.size()], outcomes[first + i / mappings.size()]);
  }
  return outcomes;
}

}  // namespace nplab::experiments
