// Instructions that the published code spent and that the publication does not print: ours may be
// shorter. The mapping says how many (tuning receive_work, transmit_work, classify_work), with its
// arithmetic; 0 where nothing published is compared.
#pragma once

#include "microengine.h"
#include "placement.h"

#define WORK_ROUND 16  // instructions of one round of the loop, its own two included

// A loop of fewer rounds than this is unrolled and its result computed by the compiler, unless the
// number is hidden from it.
#define WORK_UNROLLED 4

#define WORK_STEP(x, n) (x) = ((x) + (n)) ^ (n)

static inline void spend(const u32 instructions) {
  if (instructions < WORK_ROUND)
    return;
  u32 x = WORK_SEED;
  u32 rounds = instructions / WORK_ROUND;
  if (rounds < WORK_UNROLLED)
    __asm__ volatile("" : "+r"(rounds));
  for (u32 round = rounds; round; --round) {
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
