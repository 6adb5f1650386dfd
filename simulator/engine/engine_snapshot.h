// What an observer sees of a microengine between two cycles.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/base/ids.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

struct EngineSnapshot {
  enum class Context : std::uint8_t { kOff, kReady, kRunning, kWaiting };
  struct ContextSnapshot {
    Context state{};
    std::uint32_t word = 0;        // that it executes next
    std::uint32_t gave_up_at = 0;  // word of the instruction that gave up the engine
    std::uint16_t missing = 0;     // waiting: events that have not come, bits of isa::Event
  };

  ContextId context;            // that has the engine, or had it last
  bool aborts = false;          // the next cycle passes an aborted slot
  bool shadow = false;          // a branch or swap has deferred or aborted slots still to come
  std::uint32_t shadow_of = 0;  // its word
  Cycles stalled = 0;           // cycles so far
  Cycles idle = 0;
  std::array<ContextSnapshot, kMostContexts> contexts{};
};

}  // namespace nplab::simulator
