// Executions of basic blocks that agree with one another: what comes to a block leaves it.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace nplab::experiments {

// From one block to another.
using BlockEdge = std::pair<std::size_t, std::size_t>;

struct BlockEstimate {
  std::optional<double> times;  // that it is executed; nothing: not known
  double words = 0;             // that say so, its weight
};

// Executions near the estimates such that those of a block are the sum of its edges' on either side
// where it has any. Iterates; what is left of a contradiction is shared by the blocks around it.
std::vector<double> balanced_flow(const std::vector<BlockEstimate>& estimates,
                                  const std::vector<BlockEdge>& edges);

}  // namespace nplab::experiments
