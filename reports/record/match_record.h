// What a record says of a match unit beside the engines. Cycles are the unit's where the name does
// not say otherwise; waits and latencies are in core cycles.
#pragma once

#include <string>

#include "reports/record/counts.h"
#include "reports/record/dram_record.h"

namespace nplab::reports {

// A queue of the unit, or its storage of sessions.
struct MatchQueue {
  Count places = 0;
  Count most_held = 0;
  Count held_cycles = 0;  // sum over all cycles of the places that are held
  double held_pct = 0;    // of places x cycles
  bool operator==(const MatchQueue&) const = default;
};

struct MatchLatency {
  double mean = 0;
  Count max = 0;
  Count total = 0;  // over all lookups that ended; the mean is derived from it
  bool operator==(const MatchLatency&) const = default;
};

struct MatchRecord {
  std::string unit;       // as the mapping names it
  Count unit_cycles = 0;  // in so many
  Count core_cycles = 0;
  Count cycles = 0;  // of the run
  Count keys_posted = 0;
  Count lookups = 0;  // that ended
  Count matched = 0;
  Count matched_bytes = 0;  // of the packets that matched
  Count under_way = 0;      // at the stop
  Count answers_read = 0;
  Count reads_that_waited = 0;  // came before their answer
  Count read_wait_cycles = 0;   // of the core
  Count posts_that_waited = 0;  // found the queue of requests full
  Count post_wait_cycles = 0;   // of the core
  MatchLatency latency_cycles;  // of the core, from post to answer
  Count references = 0;         // lines that lookups looked at
  Count most_requests = 0;      // that waited for a session
  MatchQueue sessions;
  Count cycles_without_session = 0;
  Count looked_up = 0;  // sessions that the input handler sent on: one per cycle at most
  Count hits = 0;
  Count misses = 0;
  Count fills = 0;  // lines that entered the cache as they came from memory
  Count written_back = 0;
  MatchQueue load_queue;
  Count merged = 0;     // look-ups that joined a read under way
  Count forwarded = 0;  // reads that the store queue answered
  Count cancelled = 0;  // reads that a write answered, before memory was asked
  Count dropped = 0;    // ... and after
  Count repeated = 0;   // sessions that looked up again
  MatchQueue store_queue;
  Count merged_stores = 0;
  Count passes = 0;              // through the action pipeline
  Count memory_full_cycles = 0;  // of channels that refused a read or a write
  Count updates = 0;             // requests of the service port that ended
  Count updates_refused = 0;
  Count inexact_rules = 0;  // whose counters are not what the answers come to
  DramRecord dram;
  double hit_pct = 0;
  double input_pct = 0;        // of the cycles, in which a session was sent on
  double memory_full_pct = 0;  // of channels x cycles
  std::string busiest;         // `input` or `memory`
  double use_pct = 0;          // of the busiest
  bool operator==(const MatchRecord&) const = default;
};

}  // namespace nplab::reports
