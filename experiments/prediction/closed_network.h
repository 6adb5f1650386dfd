// Mean-value analysis of a closed queueing network with one class of customers: the textbook case,
// against which the approximation of thread_network.h is judged.
//
// Reiser and Lavenberg, "Mean-Value Analysis of Closed Multichain Queueing Networks", Journal of
// the ACM 27(2), 1980. Stations have one server and exponential service in the order of arrival (or
// any service, shared).
#pragma once

#include <vector>

namespace nplab::experiments {

struct ClosedNetwork {
  std::vector<double> demands;  // cycles per visit to all stations, by station
  double delay = 0;             // cycles per visit at no station
};

struct ClosedSolution {
  double throughput = 0;       // visits per cycle
  std::vector<double> queues;  // customers at each station, served or waiting
};

// Exact.
ClosedSolution solve_exactly(const ClosedNetwork& network, unsigned customers);

// Upper bound of the throughput (Denning and Buzen, "The Operational Analysis of Queueing Network
// Models", Computing Surveys 10(3), 1978): no station does more than it can, nobody waits.
double throughput_bound(const ClosedNetwork& network, unsigned customers);

}  // namespace nplab::experiments
