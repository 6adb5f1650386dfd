// The parameters of a match unit. Their defaults are those of a chip file, which says where each
// comes from (simulator/parameters/chip_parameters.def).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/match/table_image.h"
#include "simulator/base/time.h"
#include "simulator/dram/dram_memory.h"
#include "simulator/parameters/chip_parameters.h"

namespace nplab::simulator::match {

inline constexpr MatchUnitParameters kDefaults{};

struct MatchCacheDescription {
  unsigned lines = kDefaults.cache_lines;  // 0: no cache
  unsigned ways = kDefaults.cache_ways;
  CacheReplacement replacement = kDefaults.cache_replacement;
  Cycles read_latency = kDefaults.cache_read_latency;
  Cycles write_latency = kDefaults.cache_write_latency;
  Allocation allocation = kDefaults.cache_allocation;
};

struct MatchDescription {
  std::uint64_t clock_hz = kDefaults.clock_hz;
  unsigned sessions = kDefaults.sessions;  // lookups under way, each with a tag
  Cycles hash_latency = kDefaults.hash_latency;
  unsigned load_queue = kDefaults.load_queue;
  unsigned store_queue = kDefaults.store_queue;
  StaleReads stale_reads = kDefaults.stale_reads;
  StateIn state = kDefaults.state;
  isa::match::Collisions collisions = kDefaults.collisions;
  MatchCacheDescription cache;
  Cycles interconnect_latency = kDefaults.interconnect_latency;
  dram::DramDescription dram;
  unsigned dram_fifteenths = 20;  // of a GHz: the memory's clock, of DDR4-2666
};

// What a chip's file says of its unit.
MatchDescription description_of(const MatchUnitParameters& parameters);

// The same without a chip, with so many channels, and windows of their controllers.
MatchDescription published_unit(unsigned channels, unsigned window = kDefaults.window);

// Of the action pipeline [P]: receive, compare, update, write, three of forwarding, confirm.
inline constexpr unsigned kActionStages = 8;

}  // namespace nplab::simulator::match
