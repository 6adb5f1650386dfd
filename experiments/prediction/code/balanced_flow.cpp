#include "experiments/prediction/code/balanced_flow.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/successive_shortest_path_nonnegative_weights.hpp>
#include <cmath>
#include <limits>

namespace nplab::experiments {
namespace {

// Executions are counted in these parts of one: less than any figure shows.
constexpr double kUnitsPerExecution = 1e4;
// What it costs to change a block's executions by one unit, for each word that says how many they
// are; and to add one of a block that nothing says anything of, so that no more of these are used
// than the others need. docs/prediction.md says why.
constexpr long kMeasuredCost = 100, kEstimateCost = 10, kUnknownCost = 1;

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Arc = Traits::edge_descriptor;
using Network = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<boost::edge_capacity_t, long,
                    boost::property<boost::edge_residual_capacity_t, long,
                                    boost::property<boost::edge_reverse_t, Arc,
                                                    boost::property<boost::edge_weight_t, long>>>>>;

// A block is two nodes. As many units as its estimate begin where it is left and end where it is
// come to, and have to find their way; more of it, or less, is an arc between the two that costs.
// Where the program begins and where no edge leads to or from, units come from outside and go
// there.
class Balance {
 public:
  Balance(const std::vector<BlockEstimate>& estimates, const std::vector<BlockEdge>& edges)
      : network_(2 * estimates.size() + 3), source_(2 * estimates.size()), sink_(source_ + 1) {
    std::vector<bool> has_in(estimates.size(), false), has_out(estimates.size(), false);
    for (const auto& [from, to] : edges) {
      add(left(from), come_to(to), kUnlimited, 0);
      has_out[from] = has_in[to] = true;
    }
    const std::size_t outside = sink_ + 1;
    for (std::size_t block = 0; block < estimates.size(); ++block) {
      add_block(block, estimates[block]);
      if (!has_in[block] || block == 0)
        add(outside, come_to(block), kUnlimited, 0);
      if (!has_out[block])
        add(left(block), outside, kUnlimited, 0);
    }
  }

  std::vector<double> find() {
    boost::successive_shortest_path_nonnegative_weights(network_, source_, sink_);
    std::vector<double> times;
    for (const Block& block : blocks_) {
      const long units = block.units + flow(block.more) - (block.units > 0 ? flow(block.less) : 0);
      times.push_back(block.measured.value_or(static_cast<double>(units) / kUnitsPerExecution));
    }
    return times;
  }

 private:
  static constexpr long kUnlimited = std::numeric_limits<int>::max();
  struct Block {
    std::optional<double> measured;
    long units = 0;  // of its estimate
    Arc more, less;
  };

  static std::size_t come_to(std::size_t block) { return 2 * block; }
  static std::size_t left(std::size_t block) { return 2 * block + 1; }

  Arc add(std::size_t from, std::size_t to, long most, long cost) {
    const Arc there = boost::add_edge(from, to, network_).first;
    const Arc back = boost::add_edge(to, from, network_).first;
    boost::put(boost::edge_capacity, network_, there, most);
    boost::put(boost::edge_capacity, network_, back, 0);
    boost::put(boost::edge_weight, network_, there, cost);
    boost::put(boost::edge_weight, network_, back, -cost);
    boost::put(boost::edge_reverse, network_, there, back);
    boost::put(boost::edge_reverse, network_, back, there);
    return there;
  }

  void add_block(std::size_t block, const BlockEstimate& estimate) {
    const long words = std::max(1L, std::lround(estimate.words));
    const long cost = !estimate.times        ? kUnknownCost
                      : estimate.is_measured ? words * kMeasuredCost
                                             : words * kEstimateCost;
    Block added;
    if (estimate.is_measured)
      added.measured = estimate.times;
    added.units = std::lround(estimate.times.value_or(0) * kUnitsPerExecution);
    added.more = add(come_to(block), left(block), kUnlimited, cost);
    if (added.units > 0) {
      added.less = add(left(block), come_to(block), added.units, cost);
      add(source_, left(block), added.units, 0);
      add(come_to(block), sink_, added.units, 0);
    }
    blocks_.push_back(added);
  }

  [[nodiscard]] long flow(const Arc& arc) const {
    return boost::get(boost::edge_capacity, network_, arc) -
           boost::get(boost::edge_residual_capacity, network_, arc);
  }

  Network network_;
  std::size_t source_, sink_;
  std::vector<Block> blocks_;
};

}  // namespace

std::vector<double> balanced_flow(const std::vector<BlockEstimate>& estimates,
                                  const std::vector<BlockEdge>& edges) {
  return Balance(estimates, edges).find();
}

}  // namespace nplab::experiments
