#include "experiments/prediction/closed_network.h"

#include <algorithm>
#include <numeric>

namespace nplab::experiments {

ClosedSolution solve_exactly(const ClosedNetwork& network, unsigned customers) {
  ClosedSolution solution{0, std::vector<double>(network.demands.size(), 0)};
  for (unsigned n = 1; n <= customers; ++n) {
    // An arriving customer finds what one customer fewer would leave there on average.
    std::vector<double> responses;
    for (std::size_t i = 0; i < network.demands.size(); ++i)
      responses.push_back(network.demands[i] * (1 + solution.queues[i]));
    const double cycle = network.delay + std::accumulate(responses.begin(), responses.end(), 0.0);
    solution.throughput = cycle > 0 ? n / cycle : 0;
    for (std::size_t i = 0; i < responses.size(); ++i)
      solution.queues[i] = solution.throughput * responses[i];
  }
  return solution;
}

double throughput_bound(const ClosedNetwork& network, unsigned customers) {
  const double total = std::accumulate(network.demands.begin(), network.demands.end(), 0.0);
  const double largest = network.demands.empty()
                             ? 0
                             : *std::max_element(network.demands.begin(), network.demands.end());
  const double alone = customers / (network.delay + total);
  return largest > 0 ? std::min(alone, 1 / largest) : alone;
}

}  // namespace nplab::experiments
