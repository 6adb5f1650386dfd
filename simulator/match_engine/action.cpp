#include "simulator/match_engine/action.h"

#include <algorithm>
#include <cassert>

namespace nplab::simulator::match {

using isa::match::Entry;
using isa::match::masked;
using isa::match::Slot;

namespace {

Acted again(bool changes_line = false) {
  return {changes_line, Then::kAgain, {}, {}};
}

Acted finished(Outcome outcome, const Entry& entry = {}, bool changes_line = false) {
  return {changes_line, Then::kFinished, outcome, entry};
}

void look_at(Session& session, Slot slot, Phase phase) {
  session.is_direct = true;
  session.slot = slot;
  session.phase = phase;
}

// Adds a packet. Packets overtake one another, so the latest arrival is kept.
template <class State>
void add_packet(State& state, const Request& packet) {
  ++state.packets;
  state.bytes += packet.bytes;
  state.last_seen = std::max(state.last_seen, packet.arrival.number());
}

}  // namespace

Action::Action(const isa::match::LookupProgram& program, const MatchDescription& description,
               isa::match::TableSize tables, std::uint64_t overflow_used)
    : program_(program),
      collisions_(description.collisions),
      state_in_(description.state),
      tables_(tables),
      overflow_used_(overflow_used) {}

void Action::begin(Session& session) const {
  session.phase = Phase::kSearch;
  session.table = 0;
  session.is_direct = false;
  if (session.request.kind == RequestKind::kLookup) {
    aim_at(session, 0);
    return;
  }
  session.key = session.request.rule.key;
  session.tuple = session.request.rule.tuple;
}

// Whether the table has a tuple at this position that could still win.
bool Action::aim_at(Session& session, unsigned position) const {
  const auto& tuples = program_.tables[session.table].tuples;
  if (position >= tuples.size())
    return false;
  const isa::match::Tuple& tuple = program_.tuple(tuples[position]);
  if (session.best && tuple.best_priority <= session.best->entry.priority)
    return false;
  session.position = position;
  session.tuple = tuples[position];
  session.key = masked(session.request.rule.key, tuple.mask);
  session.is_direct = false;
  session.phase = Phase::kSearch;
  return true;
}

Acted Action::act(Session& session, Entry& line) {
  ++session.references;
  if (session.request.kind != RequestKind::kLookup)
    return update(session, line);
  if (session.phase == Phase::kSearch)
    return search(session, line);
  // The rule may be gone since it was found; then the table is searched anew, without it.
  const Entry found = session.best->entry;
  if (!line.holds(found.tuple, found.key) || line.action != found.action) {
    session.best.reset();
    aim_at(session, 0);
    return again();
  }
  const bool changes = count(session, line);
  Acted acted = end_table(session, line.next_table, line);
  acted.changes_line = changes;
  return acted;
}

Acted Action::search(Session& session, Entry& line) {
  const bool matches = line.holds(session.tuple, session.key);
  if (!matches && line.link != 0) {
    look_at(session, line.link, Phase::kSearch);
    return again();
  }
  const bool wins = matches && (!session.best || line.priority > session.best->entry.priority);
  if (wins)
    session.best = {session.slot, line};
  if (aim_at(session, session.position + 1))
    return again();
  if (!session.best) {
    return end_table(session, program_.tables[session.table].on_miss, Entry());
  }
  if (!wins) {  // another line than this: it is counted there
    look_at(session, session.best->slot, Phase::kCount);
    return again();
  }
  const bool changes = count(session, line);
  Acted acted = end_table(session, line.next_table, line);
  acted.changes_line = changes;
  return acted;
}

// `next`: where the lookup goes on, plus 1.
Acted Action::end_table(Session& session, std::uint16_t next, const Entry& verdict) const {
  if (verdict.tuple != isa::match::kNoTuple)
    session.verdict = verdict;
  session.best.reset();
  if (next != 0) {
    session.table = static_cast<std::uint16_t>(next - 1);
    if (aim_at(session, 0))
      return again();
  }
  return session.verdict ? finished(Outcome::kMatched, *session.verdict)
                         : finished(Outcome::kNoMatch);
}

bool Action::count(const Session& session, Entry& line) {
  if (state_in_ == StateIn::kChip) {
    add_packet(on_chip_[session.slot], session.request);
    return false;
  }
  add_packet(line, session.request);
  return true;
}

Acted Action::update(Session& session, Entry& line) {
  if (session.phase == Phase::kPlace)
    return place(session, line);
  if (session.phase == Phase::kLink) {
    assert(line.link == 0 && "updates of one chain come one after another");
    line.link = *session.hole;
    return finished(Outcome::kInserted, {}, true);
  }
  const RequestKind kind = session.request.kind;
  if (line.holds(session.tuple, session.key)) {
    if (kind == RequestKind::kInsert)
      return finished(Outcome::kSameKey);
    const Entry rule = with_state(session.slot, line);
    if (kind == RequestKind::kReadState)
      return finished(Outcome::kRead, rule);
    const std::uint32_t link = line.link;
    const bool replaces = kind == RequestKind::kReplace;
    line = replaces ? new_rule(session) : Entry();
    line.link = link;
    clear_state(session.slot);
    return finished(replaces ? Outcome::kReplaced : Outcome::kErased, rule, true);
  }
  if (kind == RequestKind::kInsert && line.tuple == isa::match::kNoTuple && !session.hole)
    session.hole = session.slot;
  if (line.link != 0) {
    look_at(session, line.link, Phase::kSearch);
    return again();
  }
  return kind == RequestKind::kInsert ? insert_at_end(session, line) : finished(Outcome::kAbsent);
}

// The whole chain was searched for the key; this is its last line.
Acted Action::insert_at_end(Session& session, Entry& line) {
  if (session.hole == session.slot)
    return place(session, line);
  if (session.hole) {
    look_at(session, *session.hole, Phase::kPlace);
    return again();
  }
  if (collisions_ == isa::match::Collisions::kRefuse)
    return finished(Outcome::kCollides);
  if (overflow_free() == 0)
    return finished(Outcome::kNoOverflow);
  // A lookup finds the rule once the link leads to it, so the rule is written first.
  session.tail = session.slot;
  session.hole = static_cast<Slot>(tables_.home_slots + overflow_used_++);
  look_at(session, *session.hole, Phase::kPlace);
  return again();
}

Acted Action::place(Session& session, Entry& line) {
  assert(line.tuple == isa::match::kNoTuple && "updates of one chain come one after another");
  const std::uint32_t link = line.link;
  line = new_rule(session);
  line.link = link;
  clear_state(session.slot);
  if (!session.tail)
    return finished(Outcome::kInserted, {}, true);
  look_at(session, *session.tail, Phase::kLink);
  return again(true);
}

Entry Action::new_rule(const Session& session) const {
  Entry rule = session.request.rule;
  rule.packets = rule.bytes = rule.last_seen = 0;
  return rule;
}

void Action::clear_state(Slot slot) {
  on_chip_.erase(slot);
}

Entry Action::with_state(Slot slot, const Entry& line) const {
  Entry rule = line;
  if (const auto found = on_chip_.find(slot); found != on_chip_.end()) {
    rule.packets = found->second.packets;
    rule.bytes = found->second.bytes;
    rule.last_seen = found->second.last_seen;
  }
  return rule;
}

std::uint64_t Action::overflow_free() const {
  return tables_.overflow_slots - overflow_used_;
}

void Action::hash(StateHash& hash) const {
  hash.add(overflow_used_);
  hash.add(on_chip_.size());
  std::uint64_t sum = 0;  // in no order
  for (const auto& [slot, state] : on_chip_) {
    StateHash one;
    one.add_all(std::array<std::uint64_t, 4>{slot, state.packets, state.bytes, state.last_seen});
    sum += one.value();
  }
  hash.add(sum);
}

}  // namespace nplab::simulator::match
