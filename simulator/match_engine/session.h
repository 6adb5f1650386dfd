// The storage of sessions: all that is known of a lookup or a rule update under way, by its tag.
// Modules pass tags to one another; only the module that has the tag may read and write the
// session.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "isa/match/lookup_program.h"
#include "simulator/base/state_hash.h"
#include "simulator/match_engine/request.h"

namespace nplab::simulator::match {

using Tag = std::uint16_t;

// What the next line that a session looks at is for.
enum class Phase : std::uint8_t {
  kSearch,  // a lookup: does the rule match? an update: is the rule here, or a place for it?
  kCount,   // the rule that won was found before the last tuple was searched: counts the packet
  kPlace,   // puts a new rule into an empty place of its chain
  kLink,    // leads the end of a chain to a new rule
};

struct Session {
  Request request;
  Phase phase{};
  std::uint16_t table = 0;  // number
  unsigned position = 0;    // of the tuple in its table
  isa::match::Key key{};    // under that tuple's mask
  isa::match::TupleId tuple = isa::match::kNoTuple;
  bool is_direct = false;  // the slot is known: nothing is hashed
  isa::match::Slot slot = 0;
  isa::match::Slot home = 0;  // of a rule update
  struct Found {
    isa::match::Slot slot = 0;
    isa::match::Entry entry;
  };
  std::optional<Found> best;                 // in this table
  std::optional<isa::match::Entry> verdict;  // of the tables before
  std::optional<isa::match::Slot> hole;      // the first empty place of a chain
  std::optional<isa::match::Slot> tail;      // the end of a chain that gets longer
  unsigned references = 0;

  void hash(StateHash& hash) const {
    hash.add(request.number);
    hash.add_all(std::array<std::uint64_t, 9>{
        static_cast<std::uint64_t>(request.kind), static_cast<std::uint64_t>(phase), table,
        position, tuple, is_direct ? 1u : 0u, slot, best ? best->slot + 1ull : 0u,
        hole ? *hole + 1ull : 0u});
  }
};

class SessionStorage {
 public:
  explicit SessionStorage(unsigned sessions) : sessions_(sessions) {}
  [[nodiscard]] Session& operator[](Tag tag) { return sessions_[tag]; }
  [[nodiscard]] const Session& operator[](Tag tag) const { return sessions_[tag]; }
  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(sessions_.size()); }

 private:
  std::vector<Session> sessions_;
};

}  // namespace nplab::simulator::match
