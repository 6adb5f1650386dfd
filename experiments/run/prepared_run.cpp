#include "experiments/run/prepared_run.h"

#include <utility>

#include "experiments/prepare/unit_choices.h"
#include "experiments/run/simulate.h"
#include "experiments/run/what_if.h"

namespace nplab::experiments {

std::optional<PreparedRun> prepare_run(const std::string& mapping, const ExperimentOptions& options,
                                       Diagnostics& diagnostics,
                                       const PreparationProgress& progress) {
  auto experiment = prepare_experiment(mapping, options, diagnostics, progress);
  if (!experiment)
    return std::nullopt;
  check_without(options.without, experiment->chip.engine.engines, diagnostics);
  check_units(options, experiment->chip, diagnostics);
  if (diagnostics.has_errors())
    return std::nullopt;
  if (progress)
    progress("compiling", 0);
  auto programs = compile_programs(*experiment, diagnostics);
  if (!programs)
    return std::nullopt;
  return PreparedRun{std::move(*experiment), std::move(*programs)};
}

reports::RunRecord prepare_and_run(
    const std::string& mapping, const ExperimentOptions& options,
    const std::function<reports::RunRecord(const PreparedRun&, Diagnostics&)>& simulate) {
  Diagnostics diagnostics;
  reports::RunRecord record;
  if (const auto prepared = prepare_run(mapping, options, diagnostics))
    record = simulate(*prepared, diagnostics);
  if (diagnostics.has_errors())
    record.failure = {kRefusedInput, diagnostics.to_string(), {}};
  return record;
}

IsolatedRun isolated_run(const PreparedRun& prepared, RunOutputs outputs) {
  const auto run = [&prepared, outputs = std::move(outputs)](const Progress& progress) {
    Diagnostics diagnostics;
    const bool activity = !outputs.timeline.is_empty();
    auto record = simulate({prepared.experiment, prepared.programs, outputs.pcap_folder, progress,
                            outputs.trace, outputs.timeline, activity},
                           diagnostics);
    if (outputs.detail == reports::RecordDetail::kLean)
      reports::make_lean(record);
    if (diagnostics.has_errors())
      record.failure = {"output", diagnostics.to_string(), {}};
    return record;
  };
  return {prepared.experiment.mapping.name, run};
}

}  // namespace nplab::experiments
