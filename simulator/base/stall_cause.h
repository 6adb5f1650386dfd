// What holds an instruction in P3 while its engine's command FIFO is full: why the FIFO's oldest
// command is not granted.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/base/time.h"

namespace nplab::simulator {

// A queue of a unit that has no room for the command, or the command bus, which is given to others.
enum class StallCause : std::uint8_t {
  kCommandBus,
  kSramCapacity,  // as many references wait in all queues of the unit together as may (chip file:
                  // effective_capacity)
  kSramPriorityQueue,
  kSramReadQueue,
  kSramOrderQueue,
  kSdramCapacity,
  kSdramPriorityQueue,
  kSdramEvenQueue,
  kSdramOddQueue,
  kSdramOrderQueue,
  kScratchQueue,
  kFbiQueue,
};
inline constexpr unsigned kStallCauses = 12;

constexpr const char* to_string(StallCause cause) {
  constexpr const char* kNames[kStallCauses] = {
      "command_bus",      "sram.capacity",     "sram.priority_queue",  "sram.read_queue",
      "sram.order_queue", "sdram.capacity",    "sdram.priority_queue", "sdram.even_queue",
      "sdram.odd_queue",  "sdram.order_queue", "scratch.queue",        "fbi.queue",
  };
  return kNames[static_cast<unsigned>(cause)];
}

using CyclesByStallCause = std::array<Cycles, kStallCauses>;

}  // namespace nplab::simulator
