// The way from the caches to the memory's queues: one command per cycle, in their order.
#pragma once

#include <algorithm>
#include <deque>

#include "simulator/base/command.h"
#include "simulator/base/state_hash.h"
#include "simulator/memory/memory_unit.h"

namespace nplab::simulator {

class MemoryWay {
 public:
  struct Outgoing {
    Command command;
    Cycle ready;
  };

  // `unit` outlives this.
  explicit MemoryWay(MemoryUnit& unit) : unit_(unit) {}

  void send(const Command& command, Cycle ready) { outgoing_.push_back({command, ready}); }
  // When a command can be delivered next; never() if none waits.
  [[nodiscard]] Cycle next_delivery() const {
    return outgoing_.empty() ? Cycle::never() : std::max(outgoing_.front().ready, free_);
  }
  // Delivers the first command in cycle `at`, if it is ready; one without room holds those after
  // it.
  void deliver(Cycle at);

  [[nodiscard]] const std::deque<Outgoing>& outgoing() const { return outgoing_; }
  void hash(StateHash& hash) const;

 private:
  MemoryUnit& unit_;
  std::deque<Outgoing> outgoing_;
  Cycle free_;
};

}  // namespace nplab::simulator
