#include "experiments/prediction/code/balanced_flow.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nplab::experiments {
namespace {

// An estimate counts as much as either side of its block when so many words made it.
constexpr double kWordsOfASide = 40;
// Executions for a packet below which nothing is told apart: an edge that estimates call unused may
// still be used so often, and the iteration ends when no block moves further.
constexpr double kLeastExecutions = 1e-6;
constexpr unsigned kMostRounds = 300;

class Balance {
 public:
  Balance(const std::vector<BlockEstimate>& estimates, const std::vector<BlockEdge>& edges)
      : estimates_(estimates),
        in_(estimates.size()),
        out_(estimates.size()),
        flow_(edges.size(), 0),
        times_(estimates.size(), 0) {
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
      out_[edges[edge].first].push_back(edge);
      in_[edges[edge].second].push_back(edge);
    }
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
      const auto [from, to] = edges[edge];
      const double leaves = part_of(from, out_[from]), comes = part_of(to, in_[to]);
      flow_[edge] = kLeastExecutions + (leaves + comes) / 2;
    }
  }

  std::vector<double> find() {
    double moved = 1;
    for (unsigned round = 0; round < kMostRounds && moved > kLeastExecutions; ++round) {
      moved = 0;
      for (std::size_t block = 0; block < times_.size(); ++block)
        moved = std::max(moved, settle(block));
    }
    // Only here: fixed executions that contradict one another would go round in the loops between.
    for (std::size_t block = 0; block < times_.size(); ++block) {
      if (estimates_[block].is_measured)
        times_[block] = estimates_[block].times.value_or(times_[block]);
    }
    return std::move(times_);
  }

 private:
  [[nodiscard]] double part_of(std::size_t block, const std::vector<std::size_t>& side) const {
    return estimates_[block].times.value_or(0) / static_cast<double>(side.size());
  }
  [[nodiscard]] double sum(const std::vector<std::size_t>& side) const {
    return std::accumulate(side.begin(), side.end(), 0.0,
                           [&](double all, std::size_t edge) { return all + flow_[edge]; });
  }

  // The mean of its estimate and what its sides have, by their weights.
  [[nodiscard]] double times_of(std::size_t block) const {
    const BlockEstimate& estimate = estimates_[block];
    double weights = estimate.times ? estimate.words / kWordsOfASide : 0;
    double weighted = weights * estimate.times.value_or(0);
    for (const auto* side : {&in_[block], &out_[block]}) {
      if (side->empty())
        continue;
      weights += 1;
      weighted += sum(*side);
    }
    return weights > 0 ? weighted / weights : 0;
  }

  // Returns by how much the block's executions change.
  double settle(std::size_t block) {
    const double before = times_[block];
    times_[block] = times_of(block);
    for (const auto* side : {&in_[block], &out_[block]}) {
      const double has = sum(*side);
      for (const std::size_t edge : *side)
        flow_[edge] *= has > 0 ? times_[block] / has : 1;
    }
    return std::abs(times_[block] - before);
  }

  const std::vector<BlockEstimate>& estimates_;
  std::vector<std::vector<std::size_t>> in_, out_;  // edges by block
  std::vector<double> flow_;                        // by edge
  std::vector<double> times_;                       // by block
};

}  // namespace

std::vector<double> balanced_flow(const std::vector<BlockEstimate>& estimates,
                                  const std::vector<BlockEdge>& edges) {
  return Balance(estimates, edges).find();
}

}  // namespace nplab::experiments
