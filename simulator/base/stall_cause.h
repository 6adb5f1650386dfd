// What holds an instruction in P3 while its engine's command FIFO is full: why the FIFO's oldest
// command is not granted.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/base/time.h"
#include "simulator/base/unit_queues.h"

namespace nplab::simulator {

// A number of kStallCauseNames.
enum class StallCause : std::uint8_t {
  kCommandBus,  // the bus is granted to others
};

struct StallCauseName {
  std::string_view unit;   // empty: the command bus
  std::string_view queue;  // or `capacity`, for the limit of all queues of the unit together
};

constexpr unsigned count_stall_causes() {
  unsigned causes = 1;
  for_each_unit([&causes](const auto& unit) {
    causes += unit.limit == SharedLimit::kEffectiveCapacity ? 1 : 0;
    for (const QueueRow& row : unit.rows)
      causes += row.when_full == FullQueueEffect::kRefuses ? 1 : 0;
  });
  return causes;
}
inline constexpr unsigned kStallCauses = count_stall_causes();

// The command bus, and of each unit the shared limit and every queue that refuses references.
inline constexpr std::array<StallCauseName, kStallCauses> kStallCauseNames = [] {
  std::array<StallCauseName, kStallCauses> names{};
  unsigned next = 0;
  names[next++] = {"", "command_bus"};
  for_each_unit([&](const auto& unit) {
    if (unit.limit == SharedLimit::kEffectiveCapacity)
      names[next++] = {unit.unit, "capacity"};
    for (const QueueRow& row : unit.rows)
      if (row.when_full == FullQueueEffect::kRefuses)
        names[next++] = {unit.unit, row.name};
  });
  return names;
}();

// The cause that `unit` and `queue` name; it exists.
constexpr StallCause stall_cause(std::string_view unit, std::string_view queue) {
  unsigned cause = 0;
  while (cause < kStallCauses &&
         (kStallCauseNames[cause].unit != unit || kStallCauseNames[cause].queue != queue))
    ++cause;
  assert(cause < kStallCauses && "no such cause of stalled cycles");
  return static_cast<StallCause>(cause);
}

// `command_bus`, `sram.capacity`, `sram.order_queue`.
inline std::string to_string(StallCause cause) {
  const auto& [unit, queue] = kStallCauseNames[static_cast<unsigned>(cause)];
  return unit.empty() ? std::string(queue) : std::string(unit) + "." + std::string(queue);
}

using CyclesByStallCause = std::array<Cycles, kStallCauses>;

}  // namespace nplab::simulator
