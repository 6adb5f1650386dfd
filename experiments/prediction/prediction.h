// What a placement would achieve, without simulating it: rates, latency, the use of every engine,
// memory and direction of the ports, and what bounds it. docs/prediction.md derives the model.
#pragma once

#include <string>
#include <vector>

#include "experiments/prediction/algorithm_profile.h"
#include "experiments/prepare/experiment.h"

namespace nplab::experiments {

// In percent of all cycles, of the ports of what they carry at line rate.
struct ResourceUse {
  std::string resource;    // `engine0` ..., `sram`, `sdram`, `scratch`, `ports_in`, `ports_out`
  double use_pct = 0;      // the sum of the others
  double useful_pct = 0;   // for packets
  double polling_pct = 0;  // looks for work, for room or for a turn, in vain
  double aborted_pct = 0;  // of an engine's cycles
};

// The resource whose removal gives most; engines with the same stages are one, `engine1-4`.
struct PredictedBound {
  std::string resource;
  double use_pct = 0;
  double gain_if_removed_pct = 0;  // more packets per second
};

// What a packet asks of a stage, and what it gets there.
struct PredictedStage {
  std::string stage;
  std::size_t threads = 0;
  Demand work;          // of a packet that comes to the stage
  double response = 0;  // cycles that it takes a thread, with its waits
  double load_pct = 0;  // of the time of its busiest threads, that packets take
};

struct Prediction {
  std::string mapping;
  double packets_per_s = 0;  // whose way ends: sent, denied or without a match
  double receive_mbps = 0;   // of what is received, dropped at a full queue or not
  double transmit_mbps = 0;
  double latency_p50_cycles = 0;
  std::vector<ResourceUse> uses;
  PredictedBound bound;
  std::vector<PredictedStage> stages;  // in the mapping's order
};

// What is not computed when only rates are asked for: `bound` stays empty.
enum class PredictionDetail { kRates, kBound };

// Whether the model knows all that the placement needs; reports what it does not.
bool can_predict(const Experiment& experiment, Diagnostics& diagnostics);

// A profile of the same algorithm with the same parameters, tables, rules, traffic and chip.
Prediction predict(const AlgorithmProfile& profile, const Experiment& placement,
                   PredictionDetail detail = PredictionDetail::kBound);

// The same from its parts, for placements that were never prepared as an experiment.
struct PredictionInputs {
  const mappings::Placement& placement;
  const simulator::ChipDescription& chip;
  const workloads::Workload& workload;
  bool lossless = false;
};
Prediction predict(const AlgorithmProfile& profile, const PredictionInputs& inputs,
                   PredictionDetail detail = PredictionDetail::kBound);

}  // namespace nplab::experiments
