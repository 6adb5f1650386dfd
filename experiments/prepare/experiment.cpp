#include "experiments/prepare/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "experiments/prepare/chip_file.h"
#include "experiments/prepare/chosen_files.h"
#include "experiments/prepare/data_directory.h"
#include "experiments/prepare/data_files.h"
#include "experiments/prepare/record_names.h"
#include "experiments/prepare/rule_input.h"
#include "experiments/prepare/unit_choices.h"
#include "experiments/prepare/unit_tables.h"
#include "mappings/files/front.h"
#include "mappings/resolver/link.h"
#include "mappings/resolver/verify.h"
#include "simulator/base/ids.h"
#include "support/input_file.h"

namespace nplab::experiments {
namespace {

namespace fs = std::filesystem;

struct ChipFile {
  simulator::ChipDescription chip;
  reports::Input input;
};

bool takes_updates(const mappings::Manifest& manifest, Diagnostics& diagnostics) {
  const auto& parameters = manifest.parameters;
  if (std::any_of(parameters.begin(), parameters.end(),
                  [](const auto& one) { return one.name == kUpdatesParameter; }))
    return true;
  diagnostics.error(
      without_lines("--updates"),
      fmt::format("the rules of '{}' stay as they are in a run: {}", manifest.algorithm,
                  manifest.no_updates_because.empty()
                      ? fmt::format("it has no parameter '{}'", kUpdatesParameter)
                      : manifest.no_updates_because));
  return false;
}

// Its port on the command bus has the number after those of the engines.
void check_core_has_number(const simulator::ChipDescription& chip, Diagnostics& diagnostics) {
  if (chip.engine.engines < simulator::kMostEngines)
    return;
  diagnostics.error(
      without_lines("--updates"),
      fmt::format(
          "the core processor makes them, and the command bus has no number left for it after the "
          "{} engines of the chip '{}': take a chip of at most {} (--set chip.engine.engines={})",
          chip.engine.engines, chip.name, simulator::kMostEngines - 1,
          simulator::kMostEngines - 1));
}

// What was dropped in the middle of its lookup would be waited for in vain.
void check_lookups_end(const mappings::Placement& placement, Diagnostics& diagnostics) {
  for (const mappings::Queue& queue : placement.queues) {
    const bool is_within = placement.stages[queue.from].role == mappings::StageRole::kTasks &&
                           placement.stages[queue.to].role == mappings::StageRole::kTasks;
    if (!is_within || queue.full == mappings::WhenFull::kWait)
      continue;
    diagnostics.error(without_lines("--updates"),
                      fmt::format("queue '{}' drops packets whose lookups have begun, and updates "
                                  "wait for these to end: set "
                                  "its full to wait",
                                  queue.name));
  }
}

std::optional<workloads::RuleUpdates> read_updates(const std::string& text,
                                                   const workloads::Workload& workload,
                                                   std::uint64_t core_hz,
                                                   Diagnostics& diagnostics) {
  if (workloads::is_update_spec(text)) {
    return workloads::generate_updates(text, workload.rules, workload.seed, core_hz,
                                       without_lines("--updates"), diagnostics);
  }
  const auto file = read_input_file(text, diagnostics);
  return file ? workloads::parse_updates(*file, workload.rules, diagnostics) : std::nullopt;
}

std::optional<ChipFile> read_chip_file(const std::string& path,
                                       const std::vector<Override>& overrides,
                                       Diagnostics& diagnostics) {
  auto text = read_chip_text(path, diagnostics);
  if (!text)
    return std::nullopt;
  apply_overrides(overrides, Override::Target::kChip, text->root, diagnostics);
  auto chip = simulator::read_chip(text->root, diagnostics);
  if (!chip)
    return std::nullopt;
  return ChipFile{std::move(*chip), {fs::path(path).stem().string(), text->sha256}};
}

std::optional<mappings::Manifest> read_algorithm(const mappings::MappingFile& mapping,
                                                 Diagnostics& diagnostics) {
  const auto path = find_data_file(DataKind::kAlgorithm, mapping.algorithm.value,
                                   mapping.algorithm.location, diagnostics);
  if (!path)
    return std::nullopt;
  return mappings::read_manifest(*path, diagnostics);
}

// Puts what the mapping's packets meet before the algorithm into both.
void add_front(mappings::MappingFile& mapping, mappings::Manifest& manifest,
               Diagnostics& diagnostics) {
  if (mapping.front.value.empty())
    return;
  const auto path = data_directory() / "mappings" / mapping.front.value / "front.yaml";
  if (const auto front = mappings::read_manifest(path.string(), diagnostics))
    mappings::join_front(*front, mapping, manifest, diagnostics);
}

std::function<void(double)> step_of(const PreparationProgress& progress, const char* step) {
  if (!progress)
    return {};
  return [&progress, step](double done) { progress(step, done); };
}

std::optional<workloads::Workload> read_workload(const mappings::MappingFile& mapping,
                                                 const ExperimentOptions& options,
                                                 const std::vector<Override>& overrides,
                                                 Diagnostics& diagnostics,
                                                 const PreparationProgress& progress) {
  const auto path = chosen_workload(mapping, options, diagnostics);
  if (!path)
    return std::nullopt;
  workloads::WorkloadOptions given;
  given.file = *path;
  if (!options.rules.empty())
    given.rules = options.rules;
  if (workloads::is_rule_spec(options.rules)) {
    given.rule_set =
        read_rule_input(options.rules, {}, diagnostics, step_of(progress, "generating rules"));
    if (!given.rule_set)
      return std::nullopt;
  }
  given.traffic = options.traffic;
  given.seed = options.seed;
  given.l4_key = options.l4_key;
  if (!options.ports_in.empty())
    given.ports_in = options.ports_in;
  if (options.arrival && !is_lossless(options.arrival))
    given.arrival = std::get<workloads::Arrival>(*options.arrival);
  given.overrides = workload_overrides(overrides);
  return workloads::resolve_workload(given, diagnostics);
}

// Receive takes one port a thread, so every port that packets arrive on needs a thread.
void check_ports(const mappings::Placement& placement, const workloads::Workload& workload,
                 Diagnostics& diagnostics) {
  for (const mappings::Stage& stage : placement.stages) {
    if (stage.role != mappings::StageRole::kReceive)
      continue;
    for (const workloads::PortId port : workload.ports_in) {
      if (port.value() < stage.threads.size())
        continue;
      diagnostics.error(without_lines("--ports-in"),
                        fmt::format("packets arrive on port {}, but stage '{}' has {} threads, one "
                                    "per port from port 0 up",
                                    port.value(), stage.name, stage.threads.size()));
    }
  }
}

std::optional<ChipFile> read_chosen_chip(const mappings::MappingFile& mapping,
                                         const ExperimentOptions& options,
                                         const std::vector<Override>& overrides,
                                         Diagnostics& diagnostics) {
  const auto path = chosen_chip(mapping, options, diagnostics);
  return path ? read_chip_file(*path, overrides, diagnostics) : std::nullopt;
}

// A placement that cannot be is a defect of this program, and is not simulated.
void report_findings(const mappings::MappingFile& mapping, const mappings::PlacedMapping& placed,
                     Diagnostics& diagnostics) {
  auto findings = mappings::verify(placed.placement);
  const auto of_memory = mappings::verify_memory(placed.placement, placed.memory);
  findings.insert(findings.end(), of_memory.begin(), of_memory.end());
  for (const std::string& finding : findings) {
    diagnostics.error({mapping.file, 0, 0},
                      "the placement of this mapping is inconsistent, which is a defect of nplab, "
                      "not of the mapping: " +
                          finding);
  }
}

// Builds the tables of the workload's rules, places everything and checks that the placement can
// run the workload.
std::shared_ptr<const mappings::PlacedMapping> place_workload(
    const mappings::LinkedMapping& linked, const mappings::MappingFile& mapping,
    const workloads::Workload& workload, const std::optional<workloads::RuleUpdates>& updates,
    const mappings::BuildProgress& progress, Diagnostics& diagnostics) {
  std::optional<mappings::ExpectedUpdates> expected;
  if (updates)
    expected = {updates->at_start, updates->most_in_force};
  auto placed = mappings::place(linked, {workload.rules, expected ? &*expected : nullptr},
                                diagnostics, progress);
  if (!placed)
    return nullptr;
  report_findings(mapping, *placed, diagnostics);
  if (updates)
    check_lookups_end(placed->placement, diagnostics);
  check_ports(placed->placement, workload, diagnostics);
  return diagnostics.has_errors() ? nullptr : placed;
}

std::optional<reports::Inputs> inputs_of(const mappings::MappingFile& mapping,
                                         const reports::Input& chip,
                                         const workloads::Workload& workload,
                                         const std::optional<workloads::RuleUpdates>& updates,
                                         const std::string& profile_name,
                                         Diagnostics& diagnostics) {
  reports::Inputs inputs{{mapping.name, mapping.sha256},
                         chip,
                         {record_name(workload.rules.name()), workload.rules.sha256()},
                         {record_name(workload.traffic.name()), workload.traffic.sha256()},
                         {workload.name, workload.file_sha256},
                         {},
                         {}};
  if (!profile_name.empty()) {
    const auto profile = read_input_file(profile_name, diagnostics);
    if (!profile)
      return std::nullopt;
    inputs.profile = {record_name(profile_name), profile->sha256};
  }
  if (updates)
    inputs.updates = {record_name(updates->name), updates->sha256};
  return inputs;
}

}  // namespace

namespace {

std::map<std::string, std::uint32_t> units_of(const simulator::ChipDescription& chip) {
  std::map<std::string, std::uint32_t> units;
  if (chip.match)
    units.emplace("match", chip.match->base);
  return units;
}

}  // namespace

mappings::ChipFacts facts_of(const simulator::ChipDescription& chip) {
  return {chip.name,
          chip.engine.engines,
          chip.engine.contexts,
          chip.engine.control_store_words,
          {{isa::MemorySpace::kSram, chip.sram.bytes},
           {isa::MemorySpace::kSdram, chip.sdram.bytes},
           {isa::MemorySpace::kScratch, chip.scratch.bytes}},
          chip.media.ports,
          chip.sram.cache.has_value(),
          units_of(chip)};
}

std::optional<ExperimentInputs> read_experiment_inputs(const std::string& chip,
                                                       const std::string& workload,
                                                       const ExperimentOptions& options,
                                                       Diagnostics& diagnostics,
                                                       const PreparationProgress& progress) {
  diagnostics.append(options.unread);
  const auto overrides = parse_overrides(options.set, diagnostics);
  mappings::MappingFile mapping;  // of which nothing else is read
  mapping.chip = {chip, without_lines(chip)};
  mapping.workload = {workload, without_lines(workload)};
  auto chosen = read_chosen_chip(mapping, options, overrides, diagnostics);
  auto offered = read_workload(mapping, options, overrides, diagnostics, progress);
  if (!chosen || !offered || diagnostics.has_errors())
    return std::nullopt;
  return ExperimentInputs{std::move(chosen->chip), std::move(*offered)};
}

std::optional<Experiment> prepare_experiment(const std::string& word,
                                             const ExperimentOptions& options,
                                             Diagnostics& diagnostics,
                                             const PreparationProgress& progress) {
  diagnostics.append(options.unread);
  const auto overrides = parse_overrides(options.set, diagnostics);
  auto mapping = read_chosen_mapping(word, options, overrides, diagnostics);
  if (!mapping)
    return std::nullopt;
  auto manifest = read_algorithm(*mapping, diagnostics);
  if (manifest)
    add_front(*mapping, *manifest, diagnostics);
  if (manifest && !options.updates.empty() && !takes_updates(*manifest, diagnostics))
    return std::nullopt;
  auto chip = read_chosen_chip(*mapping, options, overrides, diagnostics);
  const auto linked = manifest && chip
                          ? mappings::link(*mapping, *manifest, facts_of(chip->chip), diagnostics)
                          : nullptr;
  auto workload = read_workload(*mapping, options, overrides, diagnostics, progress);
  if (linked && !workload)
    mappings::check_without_rules(*linked, diagnostics);
  if (!linked || !workload)
    return std::nullopt;
  std::optional<workloads::RuleUpdates> updates;
  if (!options.updates.empty()) {
    check_core_has_number(chip->chip, diagnostics);
    updates = read_updates(options.updates, *workload, chip->chip.clock.core_hz, diagnostics);
    if (!updates)
      return std::nullopt;
    workload->rules = updates->rules;
  }
  if (progress)
    progress("building tables", 0);
  auto placed = place_workload(*linked, *mapping, *workload, updates,
                               step_of(progress, "building tables"), diagnostics);
  auto match = placed && placed->match ? load_match_unit(*placed->match, *chip->chip.match,
                                                         workload->rules, diagnostics)
                                       : nullptr;
  if (diagnostics.has_errors())
    return std::nullopt;
  auto inputs =
      placed ? inputs_of(*mapping, chip->input, *workload, updates, options.profile, diagnostics)
             : std::nullopt;
  if (!inputs)
    return std::nullopt;
  Experiment experiment{.mapping = std::move(*mapping),
                        .manifest = std::move(*manifest),
                        .chip = std::move(chip->chip),
                        .workload = std::move(*workload),
                        .placed = std::move(placed),
                        .match = std::move(match),
                        .updates = std::move(updates),
                        .lossless = is_lossless(options.arrival),
                        .inputs = std::move(*inputs),
                        .options = options};
  check_device_ranges(experiment, diagnostics);
  return diagnostics.has_errors() ? std::nullopt : std::optional(std::move(experiment));
}

std::optional<std::vector<mappings::ComposedProgram>> compose_programs(const Experiment& experiment,
                                                                       Diagnostics& diagnostics) {
  return mappings::compose({experiment.placement(), experiment.workload.key,
                            experiment.workload.l4_key, experiment.lossless},
                           diagnostics);
}

}  // namespace nplab::experiments
