// What a session does with a line: compare, update, and where it goes on. No timing.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "isa/match/lookup_program.h"
#include "isa/match/table_image.h"
#include "simulator/match_engine/description.h"
#include "simulator/match_engine/session.h"

namespace nplab::simulator::match {

enum class Then : std::uint8_t {
  kAgain,     // the session looks at another line
  kFinished,  // it has its outcome
};

struct Acted {
  bool changes_line = false;
  Then then{};
  Outcome outcome{};
  isa::match::Entry entry;  // of the result
};

class Action {
 public:
  Action(const isa::match::LookupProgram& program, const MatchDescription& description,
         isa::match::TableSize tables, std::uint64_t overflow_used);

  // A session that begins: what it looks at first.
  void begin(Session& session) const;
  // A session with the newest version of the line that it asked for, which it may change.
  Acted act(Session& session, isa::match::Entry& line);

  // The rule with its state, wherever that is.
  [[nodiscard]] isa::match::Entry with_state(isa::match::Slot slot,
                                             const isa::match::Entry& line) const;
  [[nodiscard]] std::uint64_t overflow_free() const;
  void hash(StateHash& hash) const;

 private:
  Acted search(Session& session, isa::match::Entry& line);
  Acted end_table(Session& session, std::uint16_t next, const isa::match::Entry& verdict) const;
  Acted update(Session& session, isa::match::Entry& line);
  Acted insert_at_end(Session& session, isa::match::Entry& line);
  Acted place(Session& session, isa::match::Entry& line);
  bool aim_at(Session& session, unsigned position) const;
  // The change of the line, if the state is in it.
  bool count(const Session& session, isa::match::Entry& line);
  [[nodiscard]] isa::match::Entry new_rule(const Session& session) const;
  void clear_state(isa::match::Slot slot);

  const isa::match::LookupProgram& program_;
  isa::match::Collisions collisions_;
  StateIn state_in_;
  isa::match::TableSize tables_;
  std::uint64_t overflow_used_;  // slots that were never free again come one after another
  struct State {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    std::uint64_t last_seen = 0;
  };
  std::unordered_map<isa::match::Slot, State> on_chip_;
};

}  // namespace nplab::simulator::match
