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

// The executions that differ least from the estimates, weighed by their words, such that what comes
// to a block leaves it: a flow of least cost (He, Mestre, Pupyrev, Wang and Yu, Profile inference
// revisited, 2022), by Boost.Graph. What was measured is as it was measured, whatever the flow says
// of it. docs/prediction.md says where the costs come from.
std::vector<double> balanced_flow(const std::vector<BlockEstimate>& estimates,
                                  const std::vector<BlockEdge>& edges);

}  // namespace nplab::experiments
