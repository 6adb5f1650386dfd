// From a simulation's counts to the run record.
#pragma once

#include "experiments/check/run_checks.h"
#include "experiments/core_processor/control_plane.h"
#include "experiments/prepare/experiment.h"
#include "reports/record/run_record.h"
#include "simulator/run/simulation.h"

namespace nplab::experiments {

// The rings of the mapping's queues, queue by queue: what the simulation counts for build_record.
std::vector<simulator::WatchedRing> watched_rings(const mappings::Placement& placement);

// The tables of the algorithm, whose references are counted.
std::vector<simulator::WatchedArea> watched_areas(const mappings::Placement& placement);

// What the core processor did to the rules; nothing derived.
reports::Updates updates_record(const workloads::RuleUpdates& updates,
                                const UpdateCounters& counters, const ReferenceChecks& checks);

// Everything measured and derived, without `failure` and with `host.wall_s` left at 0.
reports::RunRecord build_record(const Experiment& experiment,
                                const std::vector<CompiledProgram>& programs,
                                const simulator::SimulationResult& result,
                                const ReferenceChecks& checks);

}  // namespace nplab::experiments
