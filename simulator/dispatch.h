// How one word goes on to the next: each routine ends by calling the next word's (threaded code), so that the engine
// gets control back only where a word does more than compute and branch, or at ExecutionCore::stop.
#pragma once

#include "simulator/execution_slot.h"

namespace nplab::simulator {

inline Flow dispatch(ExecutionCore& core, const ExecutionSlot* next) {
  core.slot = next;
  if (core.now >= core.stop) return Flow::kNext;
  return next->routine(core, *next);
}

// The word is done; goes on with the one behind it.
inline Flow proceed(ExecutionCore& core, const ExecutionSlot& slot) {
  ++slot.executed;
  ++core.now;
  return dispatch(core, &slot + 1);
}

// A taken branch that is_plain, with its whole shadow, unless that would pass the stop: then the engine takes it.
inline Flow take(ExecutionCore& core, const ExecutionSlot& slot) {
  const unsigned aborts = core.behind_setter == core.now ? slot.aborts_behind_setter : slot.aborts;
  const Cycle next = core.now + (1 + aborts);
  if (next > core.stop) return Flow::kTaken;
  ++slot.executed;
  slot.aborted += aborts;
  core.aborted += aborts;
  core.now = next;
  return dispatch(core, core.program + slot.target);
}

}  // namespace nplab::simulator
