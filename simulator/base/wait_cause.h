// What a thread waits for, finer than the event that ends its waiting: scratch, the hash unit and
// the FBI's registers and FIFOs all set the FBI's event.
#pragma once

#include <array>
#include <bit>
#include <string>

#include "isa/instruction.h"
#include "simulator/base/command.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

inline constexpr unsigned kEventKinds = 11;  // bits of isa::Event

// The number of an event's bit, or one of these two.
using WaitCause = std::uint8_t;
inline constexpr WaitCause kWaitsForFbi = std::countr_zero(static_cast<unsigned>(isa::Event::kFbi));
inline constexpr WaitCause kWaitsForScratch = kEventKinds;
inline constexpr WaitCause kWaitsForHash = kEventKinds + 1;
inline constexpr unsigned kWaitCauses = kEventKinds + 2;

inline constexpr WaitCause kNoWaitCause = 0xff;

using CyclesByWaitCause = std::array<Cycles, kWaitCauses>;

// For what a thread waits that has referred to `unit` and waits for the completion's event.
constexpr WaitCause wait_cause(isa::Unit unit) {
  if (unit == isa::Unit::kScratch)
    return kWaitsForScratch;
  if (unit == isa::Unit::kHash)
    return kWaitsForHash;
  return static_cast<WaitCause>(std::countr_zero(static_cast<unsigned>(completion_event(unit))));
}

// The bit of the event that ends the waiting.
constexpr unsigned event_bit(WaitCause cause) {
  return cause < kEventKinds ? cause : kWaitsForFbi;
}

inline std::string to_string(WaitCause cause) {
  if (cause == kWaitsForScratch)
    return "scratch";
  if (cause == kWaitsForHash)
    return "hash";
  return std::string(isa::to_string(static_cast<isa::Event>(1u << cause)));
}

}  // namespace nplab::simulator
