#include "mappings/resolver/queue_wiring.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace nplab::mappings {
namespace {

std::vector<QueueInstance> deal_out(const std::vector<ThreadPlace>& producers,
                                    const std::vector<ThreadPlace>& consumers) {
  const std::size_t count = std::max(producers.size(), consumers.size());
  std::vector<QueueInstance> instances;
  for (std::size_t i = 0; i < count; ++i) {
    instances.push_back(
        {0, {producers[i * producers.size() / count]}, {consumers[i * consumers.size() / count]}});
  }
  return instances;
}

std::vector<ThreadPlace> threads_on(unsigned engine, const std::vector<ThreadPlace>& threads) {
  std::vector<ThreadPlace> found;
  std::copy_if(threads.begin(), threads.end(), std::back_inserter(found),
               [&](const ThreadPlace& thread) { return thread.engine == engine; });
  return found;
}

}  // namespace

std::vector<QueueInstance> wire_engines(const std::vector<ThreadPlace>& producers,
                                        const std::vector<ThreadPlace>& consumers) {
  std::set<unsigned> engines;
  for (const ThreadPlace& thread : producers)
    engines.insert(thread.engine);
  std::vector<QueueInstance> rings;
  for (const unsigned engine : engines) {
    auto taking = threads_on(engine, consumers);
    if (!taking.empty())
      rings.push_back({0, threads_on(engine, producers), std::move(taking)});
  }
  return rings;
}

std::vector<QueueInstance> wire_queue(QueuePer per, QueueRoute route,
                                      const std::vector<ThreadPlace>& producers,
                                      const std::vector<ThreadPlace>& consumers) {
  if (producers.empty() || consumers.empty())
    return {};
  if (per == QueuePer::kShared)
    return {{0, producers, consumers}};
  if (route == QueueRoute::kOwn)
    return deal_out(producers, consumers);
  std::vector<QueueInstance> instances;
  switch (per) {
    case QueuePer::kProducerThread:
      for (const ThreadPlace producer : producers)
        instances.push_back({0, {producer}, consumers});
      break;
    case QueuePer::kConsumerThread:
      for (const ThreadPlace consumer : consumers)
        instances.push_back({0, producers, {consumer}});
      break;
    default:
      for (const ThreadPlace producer : producers) {
        for (const ThreadPlace consumer : consumers)
          instances.push_back({0, {producer}, {consumer}});
      }
  }
  return instances;
}

}  // namespace nplab::mappings
