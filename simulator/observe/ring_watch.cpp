#include "simulator/observe/ring_watch.h"

#include <algorithm>

namespace nplab::simulator {

RingWatch::RingWatch(const std::vector<WatchedRing>& rings, isa::MemorySpace space,
                     MemoryStorage& storage, std::vector<RingCounters>& counters)
    : freed_(rings.size()), counters_(counters) {
  counters_.resize(rings.size());
  for (std::uint32_t i = 0; i < rings.size(); ++i) {
    const WatchedRing& ring = rings[i];
    if (ring.space != space || ring.marked)
      continue;
    const bool frees_when_taken = ring.taken == ring.freed;
    add(ring.put, i, Part::kPut);
    add(ring.taken, i, frees_when_taken ? Part::kTakenAndFreed : Part::kTaken);
    if (!frees_when_taken)
      add(ring.freed, i, Part::kFreed);
    counters_[i].put = storage.read(ring.put);
    counters_[i].taken = storage.read(ring.taken);
    freed_[i] = storage.read(ring.freed);
    counters_[i].peak = counters_[i].put - freed_[i];
  }
  if (places_.empty())
    return;
  std::sort(places_.begin(), places_.end(),
            [](const auto& a, const auto& b) { return a.address < b.address; });
  const std::uint32_t from = places_.front().address;
  storage.observe(from, places_.back().address + 4 - from, *this);
}

void RingWatch::written(std::uint32_t address, std::uint32_t longword) {
  const auto place = std::lower_bound(
      places_.begin(), places_.end(), address,
      [](const Counter& counter, std::uint32_t at) { return counter.address < at; });
  if (place == places_.end() || place->address != address)
    return;
  RingCounters& ring = counters_[place->ring];
  std::uint32_t& freed = freed_[place->ring];
  switch (place->part) {
    case Part::kPut: ring.put = longword; break;
    case Part::kTaken: ring.taken = longword; break;
    case Part::kFreed: freed = longword; break;
    case Part::kTakenAndFreed: ring.taken = freed = longword; break;
  }
  ring.peak = std::max(ring.peak, ring.put - freed);
}

std::vector<std::uint32_t> entries_of(const std::vector<RingCounters>& rings) {
  std::vector<std::uint32_t> entries;
  entries.reserve(rings.size());
  for (const RingCounters& ring : rings)
    entries.push_back(ring.entries());
  return entries;
}

}  // namespace nplab::simulator
