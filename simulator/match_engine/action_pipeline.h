// The action pipeline: a session enters with its line in each cycle, in whatever order lines come.
// Stages: receive, compare, update, write, three of forwarding, confirm.
//
// A line that was changed is forwarded to sessions with the same line until the cache has confirmed
// it, and no session is in the first two stages with an older version. So every change is made to
// the newest version, and no count is lost. Comparison and update are computed together, in the
// update stage, where the newest version is known. Later stages only take time.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "simulator/match_engine/action.h"
#include "simulator/match_engine/ends.h"
#include "simulator/match_engine/messages.h"
#include "simulator/match_engine/module.h"

namespace nplab::simulator::match {

struct ActionCounters {
  std::uint64_t passes = 0;   // sessions that went through
  std::uint64_t matches = 0;  // finished lookups that matched
  std::uint64_t finished_lookups = 0;
  std::uint64_t finished_updates = 0;
  std::uint64_t forwarded = 0;    // got the line of a session before them
  std::uint64_t held_cycles = 0;  // the write stage waited for the cache

  void hash(StateHash& hash) const {
    hash.add_all(
        std::array{passes, matches, finished_lookups, finished_updates, forwarded, held_cycles});
  }
};

class ActionPipeline final : public Module {
 public:
  struct Ends {
    In<Pass> passes;
    In<LineWrite> confirmed;
    Out<LineWrite> writes;
    Out<Tag> again;
    Out<Tag> released;
  };

  ActionPipeline(const Ends& ends, SessionStorage& sessions, Action& action, bool fills_cache,
                 ResultSink& results);

  [[nodiscard]] std::string_view name() const override { return "action pipeline"; }
  void step(Cycle now) override;
  [[nodiscard]] bool is_idle() const override;
  void describe_waiting(std::vector<std::string>& lines) const override;
  void hash(StateHash& hash) const override;

  [[nodiscard]] const ActionCounters& counters() const { return counters_; }

 private:
  static constexpr unsigned kReceive = 0, kUpdate = 2, kWrite = 3, kConfirm = kActionStages - 1;
  struct Stage {
    Pass pass;
    Acted acted;
    std::uint64_t number = 0;  // of its write
  };
  // A line that the cache has not confirmed.
  struct Unconfirmed {
    Slot slot = 0;
    Entry line;
    std::uint64_t number = 0;
  };

  void take_confirmations(Cycle now);
  void confirm(Cycle now);
  bool write(Cycle now);
  void advance(unsigned from);
  void update();

  Ends ends_;
  SessionStorage& sessions_;
  Action& action_;
  bool fills_cache_;
  ResultSink& results_;
  std::array<std::optional<Stage>, kActionStages> stages_;
  std::vector<Unconfirmed> unconfirmed_;  // the oldest first
  std::uint64_t next_number_ = 1;
  ActionCounters counters_;
};

}  // namespace nplab::simulator::match
