// A run once more, to look closely at a part of it: the same packets, rules and updates, so the
// same cycles, without record and checks.
#pragma once

#include <optional>
#include <vector>

#include "experiments/prepare/experiment.h"
#include "experiments/run/simulate.h"
#include "simulator/run/simulation.h"
#include "workloads/updates/versioned_reference.h"

namespace nplab::experiments {

class Replay {
 public:
  // Keeps a reference to the experiment. Observers name source lines by the programs that this
  // holds: it outlives their answers.
  Replay(const Experiment& experiment, const std::vector<CompiledProgram>& programs);

  // Up to the experiment's stop, or, when there is an observer, to the end of the last range that
  // it observes.
  simulator::SimulationResult run(simulator::VerdictSink* verdicts,
                                  const simulator::Observation& observation,
                                  simulator::RunVisitor* visitor = nullptr);

  // What was right when, in the last run; null when rules stay.
  [[nodiscard]] workloads::VersionedReference* versions() {
    return versions_ ? &*versions_ : nullptr;
  }

 private:
  const Experiment& experiment_;
  StopPlan plan_;
  simulator::SimulationInputs inputs_;
  std::optional<workloads::VersionedReference> versions_;
};

}  // namespace nplab::experiments
