// The packets per cycle at which a placement settles.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "experiments/prediction/prediction.h"
#include "experiments/prediction/stage_demands.h"
#include "experiments/prediction/thread_network.h"

namespace nplab::experiments {

// A resource that costs nothing.
struct FreedResource {
  std::set<std::size_t> engines;    // their instructions take no time
  std::optional<std::size_t> unit;  // references do not occupy it
  bool polling = false;             // who has nothing to do sleeps
  bool aborts = false;              // no slot is aborted
  bool ports = false;               // their line rate is eight times as high
};

struct OperatingPoint {
  double finished = 0;  // packets per cycle
  double received = 0;  // packets per cycle, with those that a full queue drops
  NetworkSolution network;
  std::vector<std::size_t> stage_of_group;
  std::vector<std::size_t> class_of_engine;  // its number in the network
  std::vector<Demand> work;                  // of a packet, by stage
  std::vector<double> response;              // of a packet, by stage
  std::vector<double> taking;  // of it: waiting for a lock or a turn to take the packet
  std::vector<double> load;    // share of its threads' time that packets take, by stage
};

// Packets per cycle that the wire brings, and that it can carry away.
struct PortRates {
  double offered = 0;
  double line_in = 0;
  double line_out = 0;
};
PortRates port_rates(const AlgorithmProfile& profile, const PredictionInputs& inputs);

// By queue: the stages after it cannot keep up with what is offered, packets per cycle.
inline constexpr double kFullLoad = 0.995;  // of a stage's threads
std::vector<bool> filled_queues(const PredictionInputs& inputs, const OperatingPoint& point,
                                double offered);

OperatingPoint find_operating_point(const AlgorithmProfile& profile, const PredictionInputs& inputs,
                                    const FreedResource& freed = {});

}  // namespace nplab::experiments
