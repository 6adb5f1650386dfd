#include "simulator/match_engine/wires.h"

namespace nplab::simulator::match {
namespace {

// So many are under way at one per cycle, and one more waits.
constexpr std::size_t under_way(Cycles latency) {
  return latency + 1;
}

}  // namespace

Wires::Wires(const MatchDescription& description)
    : to_hash(under_way(1)),
      to_cache(under_way(description.hash_latency), description.hash_latency),
      // The cache counts places of the load queue, so what it sends always finds one.
      looked_up(description.load_queue, description.cache.read_latency),
      credits(description.load_queue + 1u),
      checks(description.load_queue),
      checked(description.load_queue),
      fetches(description.dram.organization.channels, Port<Fetch>(under_way(1))),
      fetched(description.load_queue),
      passes(under_way(1)),
      writes(under_way(description.cache.write_latency), description.cache.write_latency),
      written(under_way(1)),
      confirmed(under_way(1)),
      evicted(under_way(1)),
      stores(description.dram.organization.channels, Port<Store>(under_way(1))),
      stored(description.store_queue),
      again(description.sessions),
      repeated(description.sessions),
      released(description.sessions) {}

}  // namespace nplab::simulator::match
