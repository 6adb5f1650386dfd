// What a cache counts.
#pragma once

#include <cstdint>

#include "simulator/base/state_hash.h"

namespace nplab::simulator {

struct CacheCounters {
  std::uint64_t references = 0;  // performed in the cache
  std::uint64_t forwarded = 0;   // left to the memory: locks, free lists, FIFOs, written through
  // Look-ups, one for each line of a reference. A write to a line that others may hold misses.
  std::uint64_t read_hits = 0;
  std::uint64_t read_misses = 0;
  std::uint64_t write_hits = 0;
  std::uint64_t write_misses = 0;
  // Of the misses:
  std::uint64_t merged = 0;         // the line was under way already
  std::uint64_t fetched = 0;        // the line came
  std::uint64_t upgraded = 0;       // the line was there, and became the cache's own
  std::uint64_t not_allocated = 0;  // a write went to memory without the line
  // Of the lines:
  std::uint64_t from_caches = 0;   // fetched from another cache
  std::uint64_t replaced = 0;      // made room for others
  std::uint64_t invalidated = 0;   // taken away by another cache's write, or by one past the caches
  std::uint64_t written_back = 0;  // modified ones that were replaced, or that others asked for

  void hash(StateHash& hash) const {
    for (const std::uint64_t count :
         {references, forwarded, read_hits, read_misses, write_hits, write_misses, merged, fetched,
          upgraded, not_allocated, from_caches, replaced, invalidated, written_back})
      hash.add(count);
  }
};

// Of the bus that joins the caches before one memory, and of the way behind it.
struct CacheBusCounters {
  std::uint64_t transactions = 0;
  std::uint64_t held_cycles = 0;
  std::uint64_t waited_cycles = 0;   // of the transactions, from ready to granted
  std::uint64_t lines_to_read = 0;   // asked of the memory
  std::uint64_t lines_to_write = 0;  // the same, written back
  std::uint64_t lines_read = 0;      // served by the memory
  std::uint64_t lines_written = 0;

  void hash(StateHash& hash) const {
    for (const std::uint64_t count : {transactions, held_cycles, waited_cycles, lines_to_read,
                                      lines_to_write, lines_read, lines_written})
      hash.add(count);
  }
};

}  // namespace nplab::simulator
