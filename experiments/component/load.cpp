// load_chip and load_program of nplab/systemc/program.h.
#include <fmt/format.h>

#include <systemc>

#include "experiments/component/table_updates.h"
#include "experiments/prepare/chip_file.h"
#include "experiments/prepare/data_files.h"
#include "experiments/run/prepared_run.h"
#include "experiments/run/simulate.h"
#include "simulator/systemc/contents.h"
#include "workloads/reference/classifier.h"
#include "workloads/traffic/packet_source.h"

namespace nplab {
namespace {

using namespace experiments;

// Everything that is wrong, in one report, which ends an elaboration.
[[noreturn]] void refuse(const Diagnostics& diagnostics) {
  SC_REPORT_ERROR("/nplab/load", diagnostics.to_string().c_str());
  throw std::runtime_error(diagnostics.to_string());  // where the handler does not
}

// What a program's inputs refer to.
struct Loaded {
  explicit Loaded(PreparedRun prepared_run)
      : prepared(std::move(prepared_run)),
        inputs(simulation_inputs(prepared.experiment, prepared.programs)),
        classifier(prepared.experiment.workload.rules) {}

  PreparedRun prepared;
  simulator::SimulationInputs inputs;
  workloads::ReferenceClassifier classifier;
};

std::vector<std::string> chip_overrides(const std::vector<std::string>& set) {
  std::vector<std::string> overrides;
  for (const std::string& one : set)
    overrides.push_back("chip." + one);
  return overrides;
}

ExperimentOptions experiment_options(const systemc::ChipModel& chip,
                                     const systemc::ProgramOptions& options) {
  ExperimentOptions experiment;
  experiment.devices_are_bound = true;
  experiment.chip = chip.contents().word;
  experiment.set = chip_overrides(chip.contents().set);
  experiment.set.insert(experiment.set.end(), options.set.begin(), options.set.end());
  experiment.rules = options.rules;
  experiment.workload = options.workload;
  if (!options.traffic.empty())
    experiment.traffic = {options.traffic};
  experiment.seed = options.seed;
  experiment.updates = options.updates;
  for (const unsigned port : options.ports_in)
    experiment.ports_in.emplace_back(port);
  if (!options.l4_key.empty()) {
    experiment.l4_key = workloads::l4_key_named(options.l4_key);
    if (!experiment.l4_key)
      experiment.unread.error(
          without_lines("l4_key"),
          fmt::format("'{}' is none of transport, always, fragments", options.l4_key));
  }
  if (!options.arrival.empty()) {
    experiment.arrival = parse_arrival_choice(options.arrival);
    if (!experiment.arrival)
      experiment.unread.error(without_lines("arrival"), unknown_arrival(options.arrival));
  }
  return experiment;
}

std::optional<systemc::Program::Place> table_of(const mappings::Placement& placement,
                                                const std::string& name) {
  for (const mappings::TablePlacement& table : placement.tables)
    if (table.name == name)
      return systemc::Program::Place{memory_name(table.space), table.base,
                                     static_cast<std::uint32_t>(table.bytes)};
  return std::nullopt;
}

std::shared_ptr<systemc::Program::Contents> contents_of(const std::shared_ptr<Loaded>& loaded,
                                                        bool plays_traffic) {
  const Experiment& experiment = loaded->prepared.experiment;
  const workloads::Workload& workload = experiment.workload;
  auto contents = std::make_shared<systemc::Program::Contents>();
  contents->name = experiment.mapping.name;
  contents->inputs = &loaded->inputs;
  contents->owner = loaded;
  contents->classify =
      [loaded](std::span<const std::uint8_t> frame) -> std::optional<std::uint32_t> {
    const workloads::Workload& workload = loaded->prepared.experiment.workload;
    const auto key = workloads::extract(frame, workload.key, workload.l4_key);
    const auto rule = key ? loaded->classifier.classify(*key) : std::nullopt;
    return rule ? std::optional(rule->value()) : std::nullopt;
  };
  contents->matches = [loaded](std::span<const std::uint8_t> frame) {
    const workloads::Workload& workload = loaded->prepared.experiment.workload;
    std::vector<std::uint32_t> rules;
    if (const auto key = workloads::extract(frame, workload.key, workload.l4_key))
      for (const workloads::RuleIndex rule : loaded->classifier.all_matches(*key))
        rules.push_back(rule.value());
    return rules;
  };
  contents->updater = [&experiment] { return table_updater(experiment); };
  contents->updates = planned_updates(experiment);
  contents->in_force_at_start = experiment.updates ? experiment.updates->at_start
                                                   : std::vector<bool>(workload.rules.size(), true);
  contents->passes = [&experiment](std::optional<std::uint32_t> rule) {
    if (!rule)
      return experiment.placement().no_match == mappings::NoMatch::kAllow;
    return experiment.workload.rules.rule(workloads::RuleIndex(*rule)).action.kind() !=
           workloads::Action::Kind::kDeny;
  };
  contents->table = [&experiment](const std::string& name) {
    return table_of(experiment.placement(), name);
  };
  contents->frames = workload.traffic.size();
  contents->frame = [&workload](std::size_t index) -> std::span<const std::uint8_t> {
    return workload.traffic.packet(index).frame;
  };
  if (plays_traffic)
    contents->traffic = [&workload] {
      return std::make_unique<workloads::TrafficSource>(workload.traffic, workload.ports_in,
                                                        std::nullopt);
    };
  return contents;
}

}  // namespace

systemc::ChipModel load_chip(const std::string& name, const std::vector<std::string>& set) {
  Diagnostics diagnostics;
  const auto path = find_data_file(DataKind::kChip, name, without_lines(name), diagnostics);
  auto text = path ? read_chip_text(*path, diagnostics) : std::nullopt;
  if (!text)
    refuse(diagnostics);
  apply_overrides(parse_overrides(chip_overrides(set), diagnostics), Override::Target::kChip,
                  text->root, diagnostics);
  const auto chip = simulator::read_chip(text->root, diagnostics);
  if (!chip || diagnostics.has_errors())
    refuse(diagnostics);
  auto contents = std::make_shared<systemc::ChipModel::Contents>();
  contents->word = name;
  contents->set = set;
  contents->chip = *chip;
  return systemc::ChipModel(contents);
}

systemc::Program load_program(const std::string& mapping, const systemc::ChipModel& chip,
                              const systemc::ProgramOptions& options) {
  Diagnostics diagnostics;
  auto prepared = prepare_run(mapping, experiment_options(chip, options), diagnostics);
  if (!prepared)
    refuse(diagnostics);
  const auto loaded = std::make_shared<Loaded>(std::move(*prepared));
  if (!simulator::check_inputs(loaded->inputs, diagnostics))
    refuse(diagnostics);
  return systemc::Program(contents_of(loaded, options.plays_traffic));
}

}  // namespace nplab
