// All ports of a match unit, with the modules at their ends: what the modules are joined by, what
// the drawing of the design shows.
#pragma once

#include <string_view>
#include <vector>

#include "simulator/match_engine/description.h"
#include "simulator/match_engine/messages.h"
#include "simulator/match_engine/port.h"

namespace nplab::simulator::match {

// What the port of tags whose sessions have ended is called.
inline constexpr std::string_view kReleased = "free tag";

struct Wires {
  explicit Wires(const MatchDescription& description);

  Port<Tag> to_hash;
  Port<Tag> to_cache;
  Port<LookedUp> looked_up;
  Port<Credit> credits;
  Port<Check> checks;
  Port<Checked> checked;
  std::vector<Port<Fetch>> fetches;  // by channel
  Port<Fetched> fetched;
  Port<Pass> passes;
  Port<LineWrite> writes;
  Port<LineWrite> written;    // performed in the cache
  Port<LineWrite> confirmed;  // the same, for the action pipeline
  Port<Store> evicted;
  std::vector<Port<Store>> stores;  // by channel
  Port<unsigned> stored;            // places of the store queue whose lines memory has taken
  Port<Tag> again;                  // sessions that look at another line
  Port<Tag> repeated;               // ... at the same once more
  Port<Tag> released;               // tags of sessions that ended

  // Whether no line is under way; all else is counted as a session that is under way.
  [[nodiscard]] bool are_empty() const {
    return writes.empty() && written.empty() && confirmed.empty() && evicted.empty();
  }

  // Calls visit(from, to, what, port) for every port, one channel's after the other.
  template <class Visit>
  void for_each(Visit visit) {
    visit("input handler", "hash", "tag", to_hash);
    visit("hash", "cache", "tag, slot", to_cache);
    visit("cache", "load queue", "line or miss", looked_up);
    visit("load queue", "cache", "free place", credits);
    visit("load queue", "store queue", "slot", checks);
    visit("store queue", "load queue", "forwarded line", checked);
    for (auto& port : fetches)
      visit("load queue", "memory", "read", port);
    visit("memory", "load queue", "line", fetched);
    visit("load queue", "action pipeline", "tag, line", passes);
    visit("action pipeline", "cache", "changed line", writes);
    visit("cache", "load queue", "written line", written);
    visit("cache", "action pipeline", "confirmation", confirmed);
    visit("cache", "store queue", "replaced line", evicted);
    for (auto& port : stores)
      visit("store queue", "memory", "write", port);
    visit("memory", "store queue", "taken", stored);
    visit("action pipeline", "input handler", "next tuple", again);
    visit("load queue", "input handler", "repeated look-up", repeated);
    visit("action pipeline", "input handler", kReleased.data(), released);
  }
};

}  // namespace nplab::simulator::match
