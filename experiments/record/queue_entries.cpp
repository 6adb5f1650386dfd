#include "experiments/record/queue_entries.h"

#include <numeric>

namespace nplab::experiments {

std::vector<reports::Count> entries_by_queue(const mappings::Placement& placement,
                                             const std::vector<std::uint32_t>& rings) {
  std::vector<reports::Count> entries;
  auto ring = rings.begin();
  for (const mappings::Queue& queue : placement.queues) {
    const auto end = ring + static_cast<std::ptrdiff_t>(queue.instances.size());
    entries.push_back(std::accumulate(ring, end, reports::Count{0}));
    ring = end;
  }
  return entries;
}

reports::Count capacity_of(const mappings::Queue& queue) {
  return reports::Count{queue.entries} * queue.instances.size();
}

}  // namespace nplab::experiments
