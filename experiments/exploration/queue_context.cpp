#include "experiments/exploration/queue_context.h"

#include <algorithm>

namespace nplab::experiments {

using mappings::QueueMemory;
using mappings::QueuePer;
using mappings::QueueRoute;

QueueShape effective_shape(QueueShape shape, const QueueContext& context) {
  if (context.in_lanes) {
    shape.per = QueuePer::kProducerThread;
    shape.route = QueueRoute::kOwn;
    shape.quantum = 1;
  }
  // The rings of such a queue follow from its engines.
  if (shape.memory == QueueMemory::kRegisters) {
    shape.per = QueuePer::kShared;
    shape.route = QueueRoute::kOwn;
  }
  if (context.producers == 1 && context.consumers == 1)
    shape.per = QueuePer::kShared;
  if (shape.per == QueuePer::kShared)
    shape.route = QueueRoute::kOwn;
  else if (shape.route == QueueRoute::kOwn)
    shape.per = QueuePer::kProducerThread;
  return shape;
}

std::vector<std::uint32_t> distinct_shapes(const std::vector<QueueShape>& shapes,
                                           const std::vector<QueueContext>& contexts) {
  std::vector<std::uint32_t> distinct;
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    const auto works_as = [&](std::uint32_t other) {
      return std::all_of(contexts.begin(), contexts.end(), [&](const QueueContext& context) {
        return effective_shape(shapes[other], context) == effective_shape(shapes[i], context);
      });
    };
    if (std::none_of(distinct.begin(), distinct.end(), works_as))
      distinct.push_back(i);
  }
  return distinct;
}

PipelineQueues queues_of(const Cut& cut, const Structure& structure) {
  PipelineQueues queues;
  queues.received.producers = structure.receive_engines * structure.receive_threads;
  queues.received.consumers = structure.threads_of(0);
  std::size_t stage = 0;  // the first of the step
  for (std::size_t step = 0; step + 1 < cut.size(); ++step) {
    const std::size_t next = stage + cut[step].size();
    const bool in_lanes = cut[step].size() > 1 || cut[step + 1].size() > 1;
    for (std::size_t from = 0; from < cut[step].size(); ++from) {
      for (std::size_t to = 0; to < cut[step + 1].size(); ++to) {
        queues.between.push_back(
            {structure.threads_of(stage + from), structure.threads_of(next + to), in_lanes});
      }
    }
    stage = next;
  }
  queues.classified.producers = structure.threads_of(stage);
  queues.classified.consumers = structure.transmit_threads;
  return queues;
}

}  // namespace nplab::experiments
