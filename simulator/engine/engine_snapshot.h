// What an observer sees of a microengine between two cycles.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "simulator/base/ids.h"
#include "simulator/base/time.h"
#include "simulator/engine/execution_slot.h"

namespace nplab::simulator {

struct EngineSnapshot {
  enum class Context : std::uint8_t { kOff, kReady, kRunning, kWaiting };
  struct ContextSnapshot {
    Context state{};
    std::uint32_t word = 0;        // that it executes next
    std::uint32_t gave_up_at = 0;  // word of the instruction that gave up the engine
    std::uint16_t missing = 0;     // waiting: events that have not come, bits of isa::Event
    std::uint16_t arrived = 0;     // events that have come and are not consumed
    Cycle since;                   // when the state began
    ConditionCodes codes;
  };

  ContextId context;            // that has the engine, or had it last
  bool aborts = false;          // the next cycle passes an aborted slot
  bool shadow = false;          // a branch or swap has deferred or aborted slots still to come
  std::uint32_t shadow_of = 0;  // its word
  Cycles stalled = 0;           // cycles so far
  Cycles idle = 0;
  Cycles idle_for = 0;  // without a break
  std::array<ContextSnapshot, kMostContexts> contexts{};

  [[nodiscard]] bool is_off() const {
    return std::all_of(contexts.begin(), contexts.end(), [](const ContextSnapshot& context) {
      return context.state == Context::kOff;
    });
  }
};

// What an engine's P3 holds in a cycle.
enum class SlotUse : std::uint8_t { kNothing, kExecuted, kAborted, kStalled };

// From the snapshots before and after the cycle. What is executed or stalled is the word at which
// the context of `after` stood in `before`.
inline SlotUse slot_use(const EngineSnapshot& before, const EngineSnapshot& after) {
  if (before.is_off() || after.idle != before.idle)
    return SlotUse::kNothing;
  if (before.aborts)
    return SlotUse::kAborted;
  return after.stalled != before.stalled ? SlotUse::kStalled : SlotUse::kExecuted;
}

}  // namespace nplab::simulator
