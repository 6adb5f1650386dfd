// Stands between the command bus and a unit, and brings each reference there later by a time of its
// own: a schedule of latencies that no unit's figures give, for programs whose results must not
// depend on them. A queue is served in order, so what one thread sends one queue keeps its order,
// whatever is drawn. Only a chip with `latency_spread` has it.
#pragma once

#include <random>

#include "simulator/base/ports.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

class LatencySpread final : public UnitQueue {
 public:
  // `number` identifies the unit in its chip: each unit has draws of its own. The unit outlives
  // this.
  LatencySpread(UnitQueue& unit, const LatencySpreadDescription& spread, unsigned number)
      : unit_(unit),
        random_(spread.seed * kMostUnits + number),
        choices_(Cycles{spread.max_delay} + 1) {}

  [[nodiscard]] bool has_room(const Command& command, Cycle at) override {
    return unit_.has_room(command, at);
  }
  [[nodiscard]] Cycle full_before(const Command& command) const override {
    return unit_.full_before(command);
  }
  [[nodiscard]] Refusal refusal(const Command& command) const override {
    return unit_.refusal(command);
  }
  void deliver(const Command& command, Cycle at) override {
    ++delivered_;
    unit_.deliver(command, at + random_() % choices_);
  }

  // How many times have been drawn: with the seed, all that decides those to come.
  [[nodiscard]] std::uint64_t delivered() const { return delivered_; }

 private:
  static constexpr unsigned kMostUnits = 8;

  UnitQueue& unit_;
  std::mt19937_64 random_;
  Cycles choices_;
  std::uint64_t delivered_ = 0;
};

}  // namespace nplab::simulator
