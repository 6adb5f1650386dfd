// How one word continues with the next: each routine ends by calling the next word's (threaded
// code), so that the engine gets control back only where a word does more than compute and branch,
// or at ExecutionCore::stop.
#pragma once

#include "simulator/engine/execution_slot.h"

namespace nplab::simulator {

inline Flow hand_back(ExecutionCore& core, const ExecutionSlot& slot, Flow flow) {
  core.slot = &slot;
  return flow;
}

inline Flow dispatch(ExecutionCore& core, const ExecutionSlot& next) {
  if (&next == core.stop_slot)
    return hand_back(core, next, Flow::kNext);
  return next.routine(core, next);
}

// The word is done; continues with the next one.
inline Flow proceed(ExecutionCore& core, const ExecutionSlot& slot) {
  return dispatch(core, *(&slot + 1));
}

// A thread goes from the word before `from` to `target`, which is reached in cycle `at`.
inline void transfer(ExecutionCore& core, const ExecutionSlot& from, const ExecutionSlot& target,
                     Cycle at) {
  --from.entered;
  ++target.entered;
  core.after_setter = nullptr;
  core.arrive(static_cast<std::uint64_t>(&target - core.program), at);
}

// A taken branch that is_plain, with its whole shadow, unless that would pass the stop: then the
// engine takes it.
inline Flow take(ExecutionCore& core, const ExecutionSlot& slot) {
  const unsigned aborts = core.after_setter == &slot ? slot.aborts_after_setter : slot.aborts;
  const Cycle next = core.cycle_of(slot) + (1 + aborts);
  if (next > core.stop) {
    core.target = slot.target;
    return hand_back(core, slot, Flow::kTaken);
  }
  slot.aborted += aborts;
  core.aborted += aborts;
  const ExecutionSlot& target = core.program[slot.target];
  transfer(core, *(&slot + 1), target, next);
  return dispatch(core, target);
}

}  // namespace nplab::simulator
