// One experiment: a mapping on a chip with a workload, resolved, compiled and ready to be
// simulated.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/prepare/experiment_options.h"
#include "isa/program_image.h"
#include "mappings/composition/composition.h"
#include "mappings/files/manifest.h"
#include "mappings/files/mapping_file.h"
#include "mappings/resolver/place.h"
#include "reports/record/run_record.h"
#include "simulator/match_engine/match_unit.h"
#include "simulator/parameters/chip_description.h"
#include "support/diagnostics.h"
#include "workloads/updates/updates.h"
#include "workloads/workload.h"

namespace nplab::experiments {

struct CompiledProgram {
  mappings::ComposedProgram composed;
  isa::ProgramImage image;
};

// Everything that the simulation and the run record need. Immutable once prepared.
struct Experiment {
  mappings::MappingFile mapping;
  mappings::Manifest manifest;
  simulator::ChipDescription chip;
  workloads::Workload workload;
  std::shared_ptr<const mappings::PlacedMapping> placed;         // of the workload's rules
  std::shared_ptr<const simulator::match::MatchContents> match;  // where the unit is used
  std::optional<workloads::RuleUpdates> updates;  // whose rules are the workload's then
  bool lossless = false;
  reports::Inputs inputs;
  ExperimentOptions options;

  [[nodiscard]] const mappings::Placement& placement() const { return placed->placement; }
};

// What the preparation is at, and how much of that is done, 0 to 1.
using PreparationProgress = std::function<void(const std::string& step, double done)>;

// Resolves the mapping that `word` (a name or a file) names, with the options' overrides, rules,
// traffic and chip. All errors at once.
std::optional<Experiment> prepare_experiment(const std::string& word,
                                             const ExperimentOptions& options,
                                             Diagnostics& diagnostics,
                                             const PreparationProgress& progress = {});

// What mappings are compared on: a chip, rules and traffic.
struct ExperimentInputs {
  simulator::ChipDescription chip;
  workloads::Workload workload;
};

// Those that the options name, else the ones of these names. All errors at once.
std::optional<ExperimentInputs> read_experiment_inputs(const std::string& chip,
                                                       const std::string& workload,
                                                       const ExperimentOptions& options,
                                                       Diagnostics& diagnostics,
                                                       const PreparationProgress& progress = {});

// What a placement needs to know about the chip.
mappings::ChipFacts facts_of(const simulator::ChipDescription& chip);

// The C program of every engine in use.
std::optional<std::vector<mappings::ComposedProgram>> compose_programs(const Experiment& experiment,
                                                                       Diagnostics& diagnostics);

// One of them, compiled.
std::optional<CompiledProgram> compile_program(const Experiment& experiment,
                                               const mappings::ComposedProgram& program,
                                               Diagnostics& diagnostics);

// All of them, compiled; a program that does not fit the control store is refused.
std::optional<std::vector<CompiledProgram>> compile_programs(const Experiment& experiment,
                                                             Diagnostics& diagnostics);

}  // namespace nplab::experiments
