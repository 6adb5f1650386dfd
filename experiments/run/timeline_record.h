// The timeline of a run, collected as the run record has it.
#pragma once

#include <optional>
#include <vector>

#include "experiments/prepare/experiment.h"
#include "experiments/run/slowest_packet.h"
#include "experiments/run/timeline_request.h"
#include "reports/record/run_record.h"
#include "simulator/observe/thread_timeline.h"
#include "simulator/run/simulation.h"

namespace nplab::experiments {

class TimelineCollector {
 public:
  // Keeps references to both. `checks` are the run's.
  TimelineCollector(const TimelineRequest& request, simulator::VerdictSink& checks)
      : request_(request), checks_(checks) {}

  // Before the run. What it needs of the inputs lives in this.
  void attach(simulator::SimulationInputs& inputs);

  // After the run, which is repeated when it told only then where the slowest packet was. Slices of
  // one source line and state after each other are one; threads that were off all the time are
  // left out, and queues that were empty. Nothing when the run ended before the first range.
  std::optional<reports::Timeline> collect(const Experiment& experiment,
                                           const std::vector<CompiledProgram>& programs);

 private:
  const TimelineRequest& request_;
  simulator::VerdictSink& checks_;
  simulator::ThreadTimeline timeline_;
  std::optional<SlowestPacket> slowest_;
};

}  // namespace nplab::experiments
