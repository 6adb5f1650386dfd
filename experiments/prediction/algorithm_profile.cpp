#include "experiments/prediction/algorithm_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "experiments/prediction/code/code_parts.h"
#include "experiments/prediction/code/look_path.h"
#include "experiments/prediction/demand_observer.h"
#include "experiments/prediction/part_names.h"
#include "experiments/run/simulate.h"
#include "simulator/run/simulation.h"
#include "workloads/traffic/packet_source.h"

namespace nplab::experiments {
namespace {

using mappings::Placement;
using mappings::StageRole;

struct ProfilingRun {
  std::map<StagePart, PartDemands> demands;
  simulator::FrameCounters frames;
  double same_bank_share = 0;
  CodeProfile code;
  std::map<std::size_t, Demand> looks_for_room;  // by queue, from the code
};

std::string failure_of(const simulator::SimulationResult& result) {
  if (result.fault)
    return result.fault->message;
  if (result.deadlock)
    return fmt::format("no progress since cycle {}", result.deadlock->last_progress.number());
  return result.violations.empty() ? "" : result.violations.front();
}

// How often a part ran: operations on queues are counted, the others run for each packet.
double times_of(const Placement& placement, const StagePart& of, const PartDemands& demands,
                const simulator::FrameCounters& frames) {
  switch (of.part.kind) {
    case PartKind::kPause:
    case PartKind::kSpin: return demands.needed.dispatches;
    case PartKind::kGet:
    case PartKind::kPut: return demands.hand_overs;
    default: break;
  }
  const bool sends = placement.stages.at(of.stage).role == StageRole::kTransmit;
  return static_cast<double>(sends ? frames.sent : frames.received);
}

std::optional<ProfilingRun> run(const Experiment& experiment, Diagnostics& diagnostics) {
  const auto programs = compile_programs(experiment, diagnostics);
  if (!programs)
    return std::nullopt;
  std::vector<CodeParts> parts;
  for (const CompiledProgram& program : *programs)
    parts.emplace_back(program, experiment.placement());
  auto inputs = simulation_inputs(experiment, *programs);
  workloads::TrafficSource source(experiment.workload.traffic, experiment.workload.ports_in,
                                  experiment.options.packets);
  DemandObserver observer(experiment, *programs, parts);
  inputs.packets = &source;
  inputs.stop = {std::nullopt, true, 0, std::nullopt};
  inputs.observation.observer = &observer;
  if (!simulator::check_inputs(inputs, diagnostics))
    return std::nullopt;
  const auto result = simulator::simulate(inputs, simulator::Kernel::kNone);
  const std::string failure = failure_of(result);
  if (!failure.empty() || result.frames.received == 0) {
    diagnostics.error({experiment.mapping.file, 0, 0},
                      fmt::format("the profiling run of '{}' failed: {}", experiment.mapping.name,
                                  failure.empty() ? "no packet arrived" : failure));
    return std::nullopt;
  }
  ProfilingRun profiled{observer.demands(), result.frames, observer.same_bank_share(), {}, {}};
  profiled.code =
      code_profile(experiment.placement(), *programs, parts, observer, [&](const StagePart& of) {
        const auto found = profiled.demands.find(of);
        return times_of(experiment.placement(), of,
                        found == profiled.demands.end() ? PartDemands{} : found->second,
                        result.frames);
      });
  for (std::size_t i = 0; i < programs->size(); ++i)
    profiled.looks_for_room.merge(looks_for_room((*programs)[i], parts[i], experiment.chip));
  return profiled;
}

// The name that a part is kept under; empty: it is of no use elsewhere.
std::string name_of(const Placement& placement, const StagePart& of) {
  const mappings::Stage& stage = placement.stages.at(of.stage);
  switch (of.part.kind) {
    case PartKind::kReceive: return kReceivePart;
    case PartKind::kTransmit: return kTransmitPart;
    case PartKind::kTask: return part_of_call(stage.calls.at(of.part.index));
    case PartKind::kKey: return part_of_key(of.part.index);
    case PartKind::kPut: return part_of_put(placement.queues.at(of.part.index));
    case PartKind::kGet: return part_of_get(placement.queues.at(of.part.index));
    case PartKind::kStep: return part_of_steps(stage);
    case PartKind::kWork: return part_of_work(stage);
    case PartKind::kPause: return kPausePart;
    case PartKind::kSpin: return kSpinPart;
    default: return "";
  }
}

// The code of a look does not depend on the number of entries.
std::string look_name_of(const Placement& placement, const StagePart& of, const std::string& name) {
  switch (of.part.kind) {
    case PartKind::kPut: return look_of(code_of_put(placement.queues.at(of.part.index)));
    case PartKind::kGet: return look_of(code_of_get(placement.queues.at(of.part.index)));
    default: return look_of(name);
  }
}

// Means over the stages and queues that have a part of the same name.
class PartSums {
 public:
  void add(const std::string& name, const Demand& sum, double times) {
    if (times <= 0)
      return;
    sums_[name] += sum;
    times_[name] += times;
  }
  void set(const std::string& name, const Demand& mean) {
    sums_[name] = mean;
    times_[name] = 1;
  }
  [[nodiscard]] std::map<std::string, Demand> means() const {
    std::map<std::string, Demand> means;
    for (const auto& [name, sum] : sums_)
      means[name] = sum * (1 / times_.at(name));
    return means;
  }

 private:
  std::map<std::string, Demand> sums_;
  std::map<std::string, double> times_;
};

// Whether a stage's demands have it: not waiting, nor the unprinted work, which depends on the
// number of stages.
bool is_of_stage(PartKind kind) {
  return kind != PartKind::kPause && kind != PartKind::kSpin && kind != PartKind::kWork &&
         kind != PartKind::kInherited;
}

std::map<std::string, Demand> parts_of(const Placement& placement, const ProfilingRun& run) {
  PartSums sums;
  std::map<std::size_t, Demand> stages;
  for (const auto& [of, demands] : run.demands) {
    const std::string name = name_of(placement, of);
    if (is_of_stage(of.part.kind))
      stages[of.stage] += demands.needed;
    if (name.empty())
      continue;
    const double times = times_of(placement, of, demands, run.frames);
    sums.add(name, demands.needed, times);
    sums.add(look_name_of(placement, of, name), demands.vain, demands.vain_tries);
  }
  // The run had room nearly always.
  for (const auto& [queue, look] : run.looks_for_room)
    sums.set(look_of(code_of_put(placement.queues.at(queue))), look);
  for (const auto& [index, demand] : stages) {
    const bool sends = placement.stages[index].role == StageRole::kTransmit;
    sums.add(part_of_stage(placement, index), demand,
             static_cast<double>(sends ? run.frames.sent : run.frames.received));
  }
  return sums.means();
}

// Of the packets that the run offers.
void describe_frames(const Experiment& experiment, AlgorithmProfile& profile) {
  const auto& packets = experiment.workload.traffic.packets();
  double bytes = 0, mpackets = 0;
  for (const auto& packet : packets) {
    bytes += static_cast<double>(packet.frame.size());
    const std::size_t whole_mpackets = (packet.frame.size() + 63) / 64;
    mpackets += static_cast<double>(whole_mpackets);
  }
  if (packets.empty())
    return;
  profile.frame_bytes = bytes / static_cast<double>(packets.size());
  profile.mpackets = mpackets / static_cast<double>(packets.size());
}

}  // namespace

double tasks_stages(const Placement& placement) {
  return static_cast<double>(
      std::count_if(placement.stages.begin(), placement.stages.end(),
                    [](const mappings::Stage& stage) { return stage.role == StageRole::kTasks; }));
}

std::optional<AlgorithmProfile> measure_profile(const Experiment& experiment,
                                                Diagnostics& diagnostics) {
  const auto started = std::chrono::steady_clock::now();
  Experiment profiled = experiment;
  profiled.lossless = true;
  profiled.options.packets = experiment.manifest.profile_packets;
  profiled.options.drain = true;
  // So that waits for references are those that nothing else delays.
  profiled.options.without = {"sram", "sdram", "scratch"};
  const auto measured = run(profiled, diagnostics);
  if (!measured)
    return std::nullopt;
  AlgorithmProfile profile;
  profile.algorithm = experiment.placement().algorithm;
  profile.mapping = experiment.mapping.name;
  profile.packets = measured->frames.received;
  profile.sent_share =
      static_cast<double>(measured->frames.sent) / static_cast<double>(measured->frames.received);
  profile.same_bank_share = measured->same_bank_share;
  profile.tasks_stages = std::max(1.0, tasks_stages(experiment.placement()));
  profile.parts = parts_of(experiment.placement(), *measured);
  profile.code = measured->code;
  for (std::size_t s = 0; s < experiment.placement().stages.size(); ++s) {
    if (has_own_program(experiment.placement(), s))
      profile.own_programs.insert(part_of_stage(experiment.placement(), s));
  }
  describe_frames(profiled, profile);
  profile.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return profile;
}

}  // namespace nplab::experiments
