// How one word continues with the next: each routine ends by calling the next word's (threaded
// code), so that the engine gets control back only where a word does more than compute and branch,
// or at ExecutionCore::stop.
#pragma once

#include <algorithm>

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

// What the branch's class costs.
inline unsigned class_aborts(const ExecutionCore& core, const ExecutionSlot& slot) {
  return core.after_setter == &slot ? slot.aborts_after_setter : slot.aborts;
}

// A branch whose `aborts` slots are followed by `target`. If they would pass the stop, the engine
// completes it: `flow` says what the branch has decided.
inline Flow leave_for(ExecutionCore& core, const ExecutionSlot& slot, unsigned aborts,
                      const ExecutionSlot& target, Flow flow) {
  const Cycle next = core.cycle_of(slot) + (1 + aborts);
  if (next > core.stop) {
    core.target = slot.target;
    return hand_back(core, slot, flow);
  }
  slot.aborted += aborts;
  core.aborted += aborts;
  transfer(core, *(&slot + 1), target, next);
  return dispatch(core, target);
}

inline Flow take(ExecutionCore& core, const ExecutionSlot& slot) {
  return leave_for(core, slot, class_aborts(core, slot), core.program[slot.target], Flow::kTaken);
}

// A branch with guess_branch: its target was fetched, so that not to take it aborts what its class
// costs.
inline Flow decide_guessed(ExecutionCore& core, const ExecutionSlot& slot, bool taken) {
  const unsigned aborts = class_aborts(core, slot);
  if (!taken)
    return leave_for(core, slot, aborts, *(&slot + 1), Flow::kNotTaken);
  return leave_for(core, slot, std::min<unsigned>(aborts, slot.most_aborts_taken),
                   core.program[slot.target], Flow::kTaken);
}

}  // namespace nplab::simulator
