// Which shapes of a queue make a difference where it stands.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/exploration/space_file.h"
#include "experiments/exploration/structures.h"

namespace nplab::experiments {

// A queue of a pipeline, by the threads on both sides.
struct QueueContext {
  unsigned producers = 1;
  unsigned consumers = 1;
  bool in_lanes = false;  // between a fork and its join
};

// The shape as it works there: what says nothing there has the value of every other such shape.
QueueShape effective_shape(QueueShape shape, const QueueContext& context);

// Of shapes that work alike in all of the contexts the first, by index. Without contexts the first
// alone.
std::vector<std::uint32_t> distinct_shapes(const std::vector<QueueShape>& shapes,
                                           const std::vector<QueueContext>& contexts);

// The queues of a pipeline: after receive, between stages of tasks, to transmit.
struct PipelineQueues {
  QueueContext received;
  std::vector<QueueContext> between;
  QueueContext classified;
};
PipelineQueues queues_of(const Cut& cut, const Structure& structure);

}  // namespace nplab::experiments
