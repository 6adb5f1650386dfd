// Circular queues in memory. An instance is a control block with its entries behind it; the code
// that puts and gets is generated from the mapping (mappings/composition/queue_code.h). Head, tail
// and released count entries from 0 without end; a slot is the counter modulo the number of
// entries. Only consumers write the head, only producers the tail.
#pragma once

#include "microengine.h"

#define QUEUE_HEAD 0      // entries taken out
#define QUEUE_TAIL 4      // entries put in
#define QUEUE_RELEASED 8  // entries given back, where that is not when they are taken out
#define QUEUE_LOCK 12
#define QUEUE_ENTRIES 16

// Bits of the lock longword, for the sides that several threads share.
#define QUEUE_PRODUCERS 1
#define QUEUE_CONSUMERS 2
#define QUEUE_RELEASERS 4

// A lock is taken by the unit's atomic test and set. A thread that finds it taken lets the others
// run.
static inline void lock_sram(u32 lock, const u32 side) {
  while (sram_test_and_set((__sram void*)lock, side) & side)
    ctx_swap_voluntary();
}

static inline void unlock_sram(u32 lock, const u32 side) {
  sram_clear_bits((__sram void*)lock, side);
}

static inline void lock_scratch(u32 lock, const u32 side) {
  while (scratch_test_and_set((__scratch void*)lock, side) & side)
    ctx_swap_voluntary();
}

// One thread of an engine at a time goes for locks of one side; the others wait without a memory
// reference. Threads are not preempted, so that looking and taking is atomic. The numbers are those
// of variables that the engine's threads share.
#define SHARED_GETTING 2
#define SHARED_PUTTING 3

#define WAIT_TURN(shared)       \
  do {                          \
    while (shared_read(shared)) \
      ctx_swap_voluntary();     \
    shared_write(shared, 1);    \
  } while (0)
#define END_TURN(shared) shared_write(shared, 0)

static inline void unlock_scratch(u32 lock, const u32 side) {
  scratch_clear_bits((__scratch void*)lock, side);
}
