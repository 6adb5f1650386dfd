#include "mappings/resolver/queue_wiring.h"

#include <algorithm>

namespace nplab::mappings {
namespace {

std::vector<QueueInstance> deal_out(const std::vector<ThreadId>& producers,
                                    const std::vector<ThreadId>& consumers) {
  const std::size_t count = std::max(producers.size(), consumers.size());
  std::vector<QueueInstance> instances;
  for (std::size_t i = 0; i < count; ++i) {
    instances.push_back(
        {0, {producers[i * producers.size() / count]}, {consumers[i * consumers.size() / count]}});
  }
  return instances;
}

}  // namespace

std::vector<QueueInstance> wire_queue(QueuePer per, QueueRoute route,
                                      const std::vector<ThreadId>& producers,
                                      const std::vector<ThreadId>& consumers) {
  if (producers.empty() || consumers.empty())
    return {};
  if (per == QueuePer::shared)
    return {{0, producers, consumers}};
  if (route == QueueRoute::own)
    return deal_out(producers, consumers);
  std::vector<QueueInstance> instances;
  switch (per) {
    case QueuePer::producer_thread:
      for (const ThreadId producer : producers)
        instances.push_back({0, {producer}, consumers});
      break;
    case QueuePer::consumer_thread:
      for (const ThreadId consumer : consumers)
        instances.push_back({0, producers, {consumer}});
      break;
    default:
      for (const ThreadId producer : producers) {
        for (const ThreadId consumer : consumers)
          instances.push_back({0, {producer}, {consumer}});
      }
  }
  return instances;
}

}  // namespace nplab::mappings
