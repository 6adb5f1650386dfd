#include "experiments/run/replay.h"

#include "experiments/core_processor/control_plane.h"
#include "experiments/prepare/unit_choices.h"
#include "workloads/traffic/packet_source.h"

namespace nplab::experiments {

Replay::Replay(const Experiment& experiment, const std::vector<CompiledProgram>& programs)
    : experiment_(experiment),
      plan_(stop_plan(experiment)),
      inputs_(simulation_inputs(experiment, programs)) {}

simulator::SimulationResult Replay::run(simulator::VerdictSink* verdicts,
                                        const simulator::Observation& observation,
                                        simulator::RunVisitor* visitor) {
  const workloads::Workload& workload = experiment_.workload;
  workloads::TrafficSource source(workload.traffic, workload.ports_in, plan_.offered);
  inputs_.packets = &source;
  inputs_.verdicts = verdicts;
  inputs_.stop = {plan_.received, plan_.drain, 0, std::nullopt};
  inputs_.observation = observation;
  inputs_.visitor = visitor;
  if (observation.observer != nullptr)
    inputs_.stop.at = observation.later.empty() ? observation.to : observation.later.back().to;
  std::optional<ControlPlane> control_plane;
  if (experiment_.updates) {
    versions_.emplace(workload.rules, workload.traffic, experiment_.updates->at_start,
                      experiment_.updates->changing);
    control_plane.emplace(*experiment_.updates, experiment_.placed->updater->clone(),
                          readers_place(experiment_.placement()), *versions_,
                          flow_version_place(experiment_.placement()));
    inputs_.core = &*control_plane;
  }
  if (experiment_.options.units.empty())
    return simulator::simulate(inputs_, simulator::Kernel::kNone);
  Diagnostics checked;  // before the first run
  return simulator::simulate_with_units(inputs_, parse_units(experiment_.options, checked));
}

}  // namespace nplab::experiments
