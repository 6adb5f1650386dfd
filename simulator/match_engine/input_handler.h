// Takes packets and rule updates in, gives each a session, and sends sessions to the hash: one in
// each cycle. Sessions under way go first, then packets and updates in turn. Updates of rules with
// one home slot are taken one after another, so that those that take several steps never meet.
#pragma once

#include <array>
#include <vector>

#include "simulator/match_engine/action.h"
#include "simulator/match_engine/ends.h"
#include "simulator/match_engine/messages.h"
#include "simulator/match_engine/module.h"

namespace nplab::simulator::match {

struct InputCounters {
  std::uint64_t sent = 0;             // sessions, to the hash
  std::uint64_t without_session = 0;  // cycles in which a request waited for one
  std::uint64_t held_sessions = 0;    // sum over all cycles
  unsigned most_held = 0;

  void hash(StateHash& hash) const {
    hash.add_all(std::array<std::uint64_t, 4>{sent, without_session, held_sessions, most_held});
  }
};

class InputHandler final : public Module {
 public:
  struct Ends {
    In<Tag> released;
    In<Tag> again;
    In<Tag> repeated;
    Out<Tag> to_hash;
  };

  // The sources outlive it; either may be null.
  InputHandler(const Ends& ends, SessionStorage& sessions, const Action& action,
               std::uint64_t home_slots, RequestSource* packets, RequestSource* updates);

  [[nodiscard]] std::string_view name() const override { return "input handler"; }
  void step(Cycle now) override;
  [[nodiscard]] bool is_idle() const override;
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

  // When the next request is there.
  [[nodiscard]] Cycle next_request() const;
  [[nodiscard]] unsigned sessions_under_way() const {
    return sessions_.size() - static_cast<unsigned>(free_.size());
  }
  [[nodiscard]] const InputCounters& counters() const { return counters_; }

 private:
  [[nodiscard]] RequestSource* next_source(Cycle now) const;
  [[nodiscard]] bool is_ready(const RequestSource* source, Cycle now) const;
  [[nodiscard]] isa::match::Slot home_of(const Request& request) const;
  void send_next(Cycle now);
  void send(Tag tag, Cycle now);
  void take_in(RequestSource& source, Cycle now);

  Ends ends_;
  SessionStorage& sessions_;
  const Action& action_;
  std::uint64_t home_slots_;
  RequestSource* packets_;
  RequestSource* updates_;
  std::vector<Tag> free_;                // the next one last
  std::vector<isa::match::Slot> homes_;  // of updates under way
  bool updates_turn_ = false;
  InputCounters counters_;
};

}  // namespace nplab::simulator::match
