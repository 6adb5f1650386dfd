// What the modules of a match unit send one another.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/match/entry.h"
#include "simulator/match_engine/session.h"

namespace nplab::simulator::match {

using isa::match::Entry;
using isa::match::Slot;

// Cache -> load queue: what a session's look-up brought.
struct LookedUp {
  Tag tag = 0;
  Slot slot = 0;
  std::optional<Entry> line;  // none: a miss
  bool is_stale = false;      // the line was written since; what memory has is not it
};

// Load queue -> action pipeline: a session and its line.
struct Pass {
  Tag tag = 0;
  Slot slot = 0;
  Entry line;
  bool from_memory = false;  // the line is not known to be in the cache
};

// Action pipeline -> cache: a line to be put there.
struct LineWrite {
  Slot slot = 0;
  Entry line;
  bool is_changed = false;
  std::uint64_t number = 0;  // in the order of the writes
};

// Cache -> store queue, and on to memory.
struct Store {
  Slot slot = 0;
  Entry line;
  unsigned place = 0;  // in the store queue
};

// Load queue -> store queue: does a store of the line wait?
struct Check {
  unsigned load = 0;  // place in the load queue
  Slot slot = 0;
};

// The answer; none: it does not.
struct Checked {
  unsigned load = 0;
  std::optional<Entry> line;
};

// Load queue -> cache: a place is free again.
struct Credit {};

// Load queue -> memory.
struct Fetch {
  unsigned load = 0;
  Slot slot = 0;
};

// Memory -> load queue.
struct Fetched {
  unsigned load = 0;
  Entry line;
};

}  // namespace nplab::simulator::match
