// For which instructions a memory's bus was held, and how long.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/base/command.h"
#include "simulator/base/ids.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

// Cycles by engine and word; words after an engine's last one that used the bus are left out.
using CyclesByWord = std::vector<std::vector<Cycles>>;

// A word whose references a bus is held for; the core processor's references belong to none.
struct BusUser {
  std::uint8_t engine = 0;
  bool is_core = false;
  std::uint16_t pc = 0;

  explicit BusUser(const Command& command)
      : engine(static_cast<std::uint8_t>(command.thread.engine.index())),
        is_core(command.issuer == Issuer::kCore || command.thread.engine == kNoEngine),
        pc(command.pc) {}
};

class BusUse {
 public:
  void add(BusUser user, Cycles cycles) {
    if (user.is_core)
      return;
    std::vector<Cycles>& words = by_engine_[user.engine];
    if (user.pc >= words.size()) [[unlikely]]
      words.resize(user.pc + 1u);
    words[user.pc] += cycles;
  }
  void take_back(BusUser user, Cycles cycles) {
    if (!user.is_core)
      by_engine_[user.engine][user.pc] -= cycles;
  }
  [[nodiscard]] CyclesByWord cycles() const { return {by_engine_.begin(), by_engine_.end()}; }

 private:
  std::array<std::vector<Cycles>, kMostEngines> by_engine_;
};

}  // namespace nplab::simulator
