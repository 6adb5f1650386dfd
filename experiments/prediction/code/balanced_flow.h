// Executions of basic blocks that agree with one another, from estimates that do not.
#pragma once

#include <optional>
#include <vector>

#include "experiments/prediction/code/program_blocks.h"

namespace nplab::experiments {

struct BlockEstimate {
  std::optional<double> times;  // that it is executed; nothing: not known
  double words = 0;             // that say so, its weight
  bool is_measured = false;     // the result is `times`, whatever the others say
};

// Executions near the estimates such that those of a block are the sum of its edges' on either side
// where it has any, by iterative proportional fitting. What is left of a contradiction is shared by
// the blocks around it. docs/prediction.md says where the constants come from.
std::vector<double> balanced_flow(const std::vector<BlockEstimate>& estimates,
                                  const std::vector<BlockEdge>& edges);

}  // namespace nplab::experiments
