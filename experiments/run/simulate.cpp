#include "experiments/run/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "experiments/check/run_checks.h"
#include "experiments/core_processor/control_plane.h"
#include "experiments/prepare/unit_choices.h"
#include "experiments/record/activity_record.h"
#include "experiments/record/record_builder.h"
#include "experiments/run/captures.h"
#include "experiments/run/timeline_record.h"
#include "experiments/run/what_if.h"
#include "reports/analysis/derive.h"
#include "reports/analysis/invariants.h"
#include "reports/analysis/verdict.h"
#include "simulator/run/simulation.h"
#include "workloads/traffic/packet_source.h"

namespace nplab::experiments {
namespace {

// Plays `source` until `ended` says that it is enough.
class EndingSource final : public workloads::PacketSource {
 public:
  EndingSource(workloads::PacketSource& source, const std::function<bool()>& ended)
      : source_(source), ended_(ended) {}
  std::optional<workloads::OfferedPacket> next(workloads::PortId port) override {
    over_ = over_ || (ended_ && ended_());
    return over_ ? std::nullopt : source_.next(port);
  }

 private:
  workloads::PacketSource& source_;
  const std::function<bool()>& ended_;
  bool over_ = false;
};

std::vector<std::string> broken_checks(const reports::RunRecord& record,
                                       const simulator::SimulationResult& result,
                                       const ReferenceChecks& checks) {
  std::vector<std::string> broken = reports::check_invariants(record);
  if (result.violation_count > 0)
    broken.push_back(
        fmt::format("{} violations of what must hold for every frame", result.violation_count));
  if (result.match && result.match->inexact_rules != 0)
    broken.push_back(
        fmt::format("the match unit's counters or time stamps of {} rules are not what "
                    "its answers come to",
                    result.match->inexact_rules));
  broken.insert(broken.end(), result.violations.begin(), result.violations.end());
  broken.insert(broken.end(), checks.messages().begin(), checks.messages().end());
  if (checks.classified() < record.packets.sent + record.packets.denied) {
    broken.push_back(fmt::format("{} packets were sent or denied, but only {} have a verdict",
                                 record.packets.sent + record.packets.denied, checks.classified()));
  }
  return broken;
}

std::optional<reports::Failure> failure_of(const reports::RunRecord& record,
                                           const simulator::SimulationResult& result,
                                           const ReferenceChecks& checks) {
  if (result.fault) {
    const simulator::Fault& fault = *result.fault;
    std::string where = fmt::format("cycle {}", fault.at.number());
    if (fault.thread)
      where += fmt::format(", engine {} thread {}", fault.thread->engine.index(),
                           fault.thread->context.index());
    if (fault.pc)
      where += fmt::format(", word {}", *fault.pc);
    if (!fault.source.empty())
      where += ", " + fault.source;
    return reports::Failure{reports::kFaultFailure, where + ": " + fault.message, result.in_flight};
  }
  if (result.deadlock) {
    auto details = result.deadlock->waiting;
    details.insert(details.end(), result.in_flight.begin(), result.in_flight.end());
    return reports::Failure{
        reports::kDeadlockFailure,
        fmt::format("no progress since cycle {}", result.deadlock->last_progress.number()),
        details};
  }
  auto broken = broken_checks(record, result, checks);
  if (broken.empty())
    return std::nullopt;
  return reports::Failure{reports::kCheckFailure, fmt::format("{} checks failed", broken.size()),
                          std::move(broken)};
}

}  // namespace

// --packets 0 plays the traffic once and lets every packet leave; so does --drain after that many.
StopPlan stop_plan(const Experiment& experiment) {
  const auto& options = experiment.options;
  if (options.packets == 0)
    return {experiment.workload.traffic.size(), std::nullopt, true};
  if (options.drain)
    return {options.packets, std::nullopt, true};
  return {std::nullopt, options.packets, false};
}

simulator::SimulationInputs simulation_inputs(const Experiment& experiment,
                                              const std::vector<CompiledProgram>& programs) {
  simulator::SimulationInputs inputs;
  inputs.chip = experiment.chip;
  inputs.match = experiment.match;
  inputs.engines.resize(experiment.chip.engine.engines);
  for (const CompiledProgram& program : programs) {
    simulator::LoadedProgram loaded{program.image, {}};
    for (const unsigned context : program.composed.contexts)
      loaded.contexts.emplace_back(context);
    inputs.engines.at(program.composed.engine) = std::move(loaded);
  }
  for (const isa::DataSegment& segment : experiment.placed->memory.segments()) {
    for (std::size_t i = 0; i < segment.longwords.size(); ++i) {
      inputs.memory.push_back({segment.space, segment.address + 4 * static_cast<std::uint32_t>(i),
                               segment.longwords[i]});
    }
  }
  free_resources(experiment.options.without, inputs);
  inputs.rings = watched_rings(experiment.placement());
  inputs.areas = watched_areas(experiment.placement());
  inputs.free_lists = {experiment.placement().buffers.descriptors_base};
  inputs.traffic.slot = experiment.workload.slot;
  inputs.traffic.offering =
      experiment.lossless ? simulator::Offering::kLossless : simulator::Offering::kWire;
  return inputs;
}

namespace {

// What a run writes and collects besides its counts, as it was requested.
class RequestedOutputs {
 public:
  RequestedOutputs(const SimulationRequest& request, ReferenceChecks& checks,
                   simulator::SimulationInputs& inputs) {
    const simulator::ChipDescription& chip = request.experiment.chip;
    if (!request.pcap_folder.empty()) {
      captures_.emplace(request.pcap_folder, chip.media.ports, chip.clock.core_hz);
      inputs.frames = &*captures_;
    }
    if (request.trace)
      trace_.emplace(*request.trace).attach(inputs);
    if (!request.timeline.is_empty() && !request.trace)
      timeline_.emplace(request.timeline, checks).attach(inputs);
    if (request.activity)
      inputs.activity = words_by_line(request.programs, chip.engine.engines);
  }

  void fill(const SimulationRequest& request, const simulator::SimulationResult& result,
            reports::RunRecord& record) {
    if (timeline_)
      record.timeline = timeline_->collect(request.experiment, request.programs);
    if (result.activity)
      record.activity =
          activity_record(*result.activity, request.experiment.placement(), request.programs);
  }

  void commit(Diagnostics& diagnostics) {
    if (captures_)
      captures_->commit(diagnostics);
    if (trace_)
      trace_->commit(diagnostics);
  }

 private:
  std::optional<Captures> captures_;
  std::optional<TraceOutput> trace_;
  std::optional<TimelineCollector> timeline_;
};

}  // namespace

reports::RunRecord simulate(const SimulationRequest& request, Diagnostics& diagnostics) {
  const auto started = std::chrono::steady_clock::now();
  const Experiment& experiment = request.experiment;
  const StopPlan plan = stop_plan(experiment);
  workloads::TrafficSource source(experiment.workload.traffic, experiment.workload.ports_in,
                                  plan.offered);
  EndingSource ending(source, request.ended);
  ReferenceChecks checks(experiment);
  auto inputs = simulation_inputs(experiment, request.programs);
  inputs.packets = &ending;
  inputs.frames = request.frames;
  inputs.inspect = request.inspect;
  inputs.verdicts = &checks;
  std::optional<ControlPlane> control_plane;
  if (experiment.updates) {
    control_plane.emplace(*experiment.updates, experiment.placed->updater->clone(),
                          readers_place(experiment.placement()), *checks.versions(),
                          flow_version_place(experiment.placement()));
    inputs.core = &*control_plane;
  }
  inputs.mode = experiment.options.mode;
  inputs.stop = {plan.received, plan.drain, request.settling, std::nullopt};
  const double goal =
      static_cast<double>(plan.received ? *plan.received : plan.offered.value_or(1));
  inputs.progress = [&](const simulator::RunProgress& at) {
    if (request.progress)
      request.progress(static_cast<double>(at.received) / goal);
  };
  RequestedOutputs outputs(request, checks, inputs);
  reports::RunRecord record;
  if (!simulator::check_inputs(inputs, diagnostics))
    return record;
  const auto units = parse_units(experiment.options.units, diagnostics);
  const simulator::SimulationResult result =
      units.empty() ? simulator::simulate(inputs) : simulator::simulate_with_units(inputs, units);
  record = build_record(experiment, request.programs, result, checks);
  if (control_plane) {
    record.updates = updates_record(*experiment.updates, control_plane->counters(), checks);
    reports::fill_derived(record);
  }
  outputs.fill(request, result, record);
  record.failure = failure_of(record, result, checks);
  record.verdict = reports::verdict_of(record);
  outputs.commit(diagnostics);
  record.host.wall_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return record;
}

}  // namespace nplab::experiments
