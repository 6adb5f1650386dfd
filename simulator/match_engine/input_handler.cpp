#include "simulator/match_engine/input_handler.h"

#include <fmt/format.h>
#include <algorithm>

namespace nplab::simulator::match {

using isa::match::Slot;

InputHandler::InputHandler(const Ends& ends, SessionStorage& sessions, const Action& action,
                           std::uint64_t home_slots, RequestSource* packets, RequestSource* updates)
    : ends_(ends),
      sessions_(sessions),
      action_(action),
      home_slots_(home_slots),
      packets_(packets),
      updates_(updates) {
  for (unsigned tag = sessions.size(); tag != 0; --tag)
    free_.push_back(static_cast<Tag>(tag - 1));
}

Slot InputHandler::home_of(const Request& request) const {
  return isa::match::home_slot(isa::match::hash_of(request.rule.tuple, request.rule.key),
                               home_slots_);
}

bool InputHandler::is_ready(const RequestSource* source, Cycle now) const {
  if (source == nullptr || source->next() > now)
    return false;
  const Request& request = source->front();
  return request.kind == RequestKind::kLookup ||
         std::find(homes_.begin(), homes_.end(), home_of(request)) == homes_.end();
}

RequestSource* InputHandler::next_source(Cycle now) const {
  RequestSource* const first = updates_turn_ ? updates_ : packets_;
  RequestSource* const second = updates_turn_ ? packets_ : updates_;
  if (is_ready(first, now))
    return first;
  return is_ready(second, now) ? second : nullptr;
}

Cycle InputHandler::next_request() const {
  Cycle next = Cycle::never();
  for (const RequestSource* source : {packets_, updates_})
    if (source != nullptr)
      next = std::min(next, source->next());
  return next;
}

void InputHandler::step(Cycle now) {
  while (ends_.released.front(now) != nullptr) {
    const Tag tag = ends_.released.take(now);
    if (sessions_[tag].request.kind != RequestKind::kLookup)
      homes_.erase(std::find(homes_.begin(), homes_.end(), sessions_[tag].home));
    free_.push_back(tag);
  }
  if (ends_.to_hash.has_room(now))
    send_next(now);
  counters_.held_sessions += sessions_under_way();
  counters_.most_held = std::max(counters_.most_held, sessions_under_way());
}

void InputHandler::send_next(Cycle now) {
  for (In<Tag>* port : {&ends_.repeated, &ends_.again})
    if (port->front(now) != nullptr)
      return send(port->take(now), now);
  RequestSource* const source = next_source(now);
  if (source == nullptr)
    return;
  if (free_.empty())
    ++counters_.without_session;
  else
    take_in(*source, now);
}

void InputHandler::send(Tag tag, Cycle now) {
  ++counters_.sent;
  ends_.to_hash.send(tag, now);
}

void InputHandler::take_in(RequestSource& source, Cycle now) {
  const Tag tag = free_.back();
  free_.pop_back();
  Session& session = sessions_[tag];
  session = Session();
  session.request = source.front();
  session.request.arrival = now;
  if (session.request.kind != RequestKind::kLookup) {
    session.home = home_of(session.request);
    homes_.push_back(session.home);
  }
  source.pop();
  updates_turn_ = &source != updates_;
  action_.begin(session);
  send(tag, now);
}

bool InputHandler::is_idle() const {
  return free_.size() == sessions_.size();
}

void InputHandler::describe_waiting(std::vector<std::string>& lines) const {
  if (!is_idle())
    lines.push_back(fmt::format("input handler: {} of {} sessions are under way",
                                sessions_under_way(), sessions_.size()));
}

void InputHandler::hash(StateHash& hash) const {
  hash.add(free_.size());
  hash.add_all(free_);
  hash.add_all(homes_);
  hash.add(updates_turn_ ? 1 : 0);
  counters_.hash(hash);
}

}  // namespace nplab::simulator::match
