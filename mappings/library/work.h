// What threads do between two looks at a queue.
#pragma once

#include "microengine.h"
#include "placement.h"
#include "unprinted_work.h"

// Between two looks at a queue that has nothing, or no room. Each look waits for memory, which
// lets other threads run; with TUNE_POLL_YIELDS a thread lets the others run once more.
static inline void wait_between_looks(void) {
  spend(TUNE_POLL_WORK);
#if TUNE_POLL_YIELDS
  ctx_swap_voluntary();
#endif
}

// Lets other threads run for at least so many cycles.
static inline void pause_cycles(const u32 cycles) {
  const u32 begun = cycle_count();
  do
    ctx_swap_voluntary();
  while (cycle_count() - begun < cycles);
}

static inline __waits_for_work void wait_for_work(void) {
  wait_between_looks();
}
static inline __waits_for_room void wait_for_room(void) {
  wait_between_looks();
}
static inline __waits_for_room void pause_for_room(const u32 cycles) {
  pause_cycles(cycles);
}
