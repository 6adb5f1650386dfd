// Instructions that the published code spent and that the publication does not print: ours may be
// shorter. The mapping says how many (tuning receive_work, transmit_work, classify_work), with its
// arithmetic; 0 where nothing published is compared.
#pragma once

#include "microengine.h"
#include "placement.h"

#define WORK_ROUND 16  // instructions of one round of the loop, its own two included

#define WORK_STEP(x, n) (x) = ((x) + (n)) ^ (n)

static inline void spend(const u32 instructions) {
  if (instructions < WORK_ROUND)
    return;
  u32 x = WORK_SEED;
  for (u32 round = instructions / WORK_ROUND; round; --round) {
    WORK_STEP(x, round);
    WORK_STEP(x, round);
    WORK_STEP(x, round);
    WORK_STEP(x, round);
    WORK_STEP(x, round);
    WORK_STEP(x, round);
    WORK_STEP(x, round);
  }
  if (x == 0xffffffff)
    ctx_swap_voluntary();  // never: keeps the work from being optimised away
}

// Between two looks at a queue that has nothing, or no room. Each look waits for memory, which
// lets other threads run; with TUNE_POLL_YIELDS a thread gives up the engine once more.
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

static inline void wait_for_work(void) {
  wait_between_looks();
}
static inline void wait_for_room(void) {
  wait_between_looks();
}
