// Simulates a prepared experiment, checks every packet and fills the run record.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "experiments/prepare/experiment.h"
#include "experiments/run/timeline_request.h"
#include "experiments/run/trace_output.h"
#include "reports/record/run_record.h"
#include "simulator/run/simulation.h"

namespace nplab::experiments {

// Called now and then with the share of the run that is done, 0 to 1.
using Progress = std::function<void(double)>;

struct SimulationRequest {
  const Experiment& experiment;
  const std::vector<CompiledProgram>& programs;
  std::string pcap_folder;  // empty: no captures are written
  Progress progress;
  std::optional<TraceRequest> trace = {};
  TimelineRequest timeline = {};  // what the record tells cycle by cycle; a trace takes its place
  bool activity =
      false;  // whether the record tells what threads, memories, queues and lines did over time
  std::function<bool()> ended = {};  // asked before each packet: none comes any more; with --drain
  simulator::FrameObserver* frames = nullptr;  // sees all frames when no captures are written
  simulator::Cycles settling = 0;              // after the drain, for software to tidy up
  std::function<void(const simulator::ChipParts&)> inspect = {};  // called once at the stop
};

// What the simulation is given: chip, programs, memory and what is watched; neither packets nor who
// looks at them.
simulator::SimulationInputs simulation_inputs(const Experiment& experiment,
                                              const std::vector<CompiledProgram>& programs);

// What --packets and --drain demand.
struct StopPlan {
  std::optional<std::uint64_t> offered;  // packets that the traffic gives at most
  std::optional<std::uint64_t> received;
  bool drain = false;
};
StopPlan stop_plan(const Experiment& experiment);

// The record of one run, `failure` set when a check or the simulated program failed. Each call
// elaborates a SystemC context of its own, so calls may follow one another but not overlap. What
// cannot be written is reported.
reports::RunRecord simulate(const SimulationRequest& request, Diagnostics& diagnostics);

}  // namespace nplab::experiments
