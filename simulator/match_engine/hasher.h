// Gives each session the slot that it looks at: the CRC-32 of tuple and key, or one that is known.
// A pipeline that takes a session in each cycle.
#pragma once

#include "simulator/match_engine/ends.h"
#include "simulator/match_engine/messages.h"
#include "simulator/match_engine/module.h"

namespace nplab::simulator::match {

class Hasher final : public Module {
 public:
  struct Ends {
    In<Tag> to_hash;
    Out<Tag> to_cache;
  };

  Hasher(const Ends& ends, SessionStorage& sessions, std::uint64_t home_slots)
      : ends_(ends), sessions_(sessions), home_slots_(home_slots) {}

  [[nodiscard]] std::string_view name() const override { return "hash"; }
  void step(Cycle now) override {
    if (ends_.to_hash.front(now) == nullptr || !ends_.to_cache.has_room(now))
      return;
    const Tag tag = ends_.to_hash.take(now);
    Session& session = sessions_[tag];
    if (!session.is_direct)
      session.slot =
          isa::match::home_slot(isa::match::hash_of(session.tuple, session.key), home_slots_);
    ends_.to_cache.send(tag, now);
  }
  [[nodiscard]] bool is_idle() const override { return true; }
  void describe_waiting(std::vector<std::string>&) const override {}
  void hash(StateHash&) const override {}

 private:
  Ends ends_;
  SessionStorage& sessions_;
  std::uint64_t home_slots_;
};

}  // namespace nplab::simulator::match
