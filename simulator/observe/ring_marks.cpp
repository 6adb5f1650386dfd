#include "simulator/observe/ring_marks.h"

#include <algorithm>

namespace nplab::simulator {

RingMarks::RingMarks(const std::vector<WatchedRing>& rings, std::vector<RingCounters>& counters)
    : counters_(counters) {
  counters_.resize(rings.size());
  for (std::size_t i = 0; i < rings.size(); ++i) {
    if (rings[i].marked)
      rings_[rings[i].marked->queue].push_back({i, *rings[i].marked, 0});
  }
}

RingMarks::Ring* RingMarks::find(std::uint32_t place, std::uint32_t queue) {
  const auto found = rings_.find(queue);
  if (found == rings_.end())
    return nullptr;
  std::vector<Ring>& rings = found->second;
  if (rings.size() == 1)
    return &rings.front();
  const auto ring = std::find_if(rings.begin(), rings.end(), [&](const Ring& one) {
    return place - one.where.base < one.where.bytes;
  });
  return ring == rings.end() ? nullptr : &*ring;
}

void RingMarks::mark(isa::Annotation::Kind kind, std::uint32_t place, std::uint32_t queue) {
  using Kind = isa::Annotation::Kind;
  Ring* ring = find(place, queue);
  if (ring == nullptr)
    return;
  RingCounters& counters = counters_[ring->number];
  if (kind == Kind::kQueueEntryPut) {
    ++counters.put;
    counters.peak = std::max(counters.peak, ++ring->held);
    return;
  }
  counters.taken += kind == Kind::kQueueEntryTaken;
  const bool frees = ring->where.frees_when_taken ? kind == Kind::kQueueEntryTaken
                                                  : kind == Kind::kQueueEntryFreed;
  ring->held -= frees && ring->held > 0;
}

}  // namespace nplab::simulator
