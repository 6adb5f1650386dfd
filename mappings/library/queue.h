// Rings in memory, the instances of queues: a control block with the entries after it. The code
// that puts and gets is generated from the mapping; docs/queues.md describes the protocols.
#pragma once

#include "microengine.h"

// Rings whose entries say themselves whether they are there. The counts are of entries since the
// start, times 2; a slot is the count modulo the number of entries. Bit 0 of a count that several
// engines write is its lock.
#define RING_TAIL 0   // entries put in, where producers count in memory
#define RING_FREED 4  // entries that are free again; also those taken, where that frees them
#define RING_HEAD 8   // entries taken, where consumers count in memory and packets' ends free
#define RING_ENTRIES 16
#define RING_LOCK 1

// The bit of packet information (packet.h) that tells the entries of a lap from those of the last.
#define ENTRY_LAP 0x8000

// Until another thread of the engine has had its turn.
static inline __waits_for_lock void wait_for_turn(void) {
  ctx_swap_voluntary();
}

// A look at how many entries are free, when there seems to be no room.
static inline __waits_for_room u32 look_for_room_sram(u32 freed) {
  return sram_read((__sram void*)freed);
}
static inline __waits_for_room u32 look_for_room_scratch(u32 freed) {
  return scratch_read((__scratch void*)freed);
}

// One thread of an engine at a time: threads are not preempted, so that looking and taking is
// atomic. `turn` is a __shared variable.
#define BEGIN_TURN(turn) \
  do {                   \
    atomic_begin();      \
    while (turn) {       \
      atomic_end();      \
      wait_for_turn();   \
      atomic_begin();    \
    }                    \
    turn = 1;            \
    atomic_end();        \
  } while (0)
#define END_TURN(turn) turn = 0

// One thread of the chip at a time: gives the count when nobody else has it. A thread that finds it
// taken lets the others of its engine run.
static inline __waits_for_lock u32 take_count_sram(u32 count) {
  for (;;) {
    const u32 taken = sram_test_and_set((__sram void*)count, RING_LOCK);
    if (!(taken & RING_LOCK))
      return taken;
    ctx_swap_voluntary();
  }
}
static inline __waits_for_lock u32 take_count_scratch(u32 count) {
  for (;;) {
    const u32 taken = scratch_test_and_set((__scratch void*)count, RING_LOCK);
    if (!(taken & RING_LOCK))
      return taken;
    ctx_swap_voluntary();
  }
}
#define give_count_sram(count, value) sram_write((__sram void*)(count), value)
#define give_count_scratch(count, value) scratch_write((__scratch void*)(count), value)

// The same by the SRAM unit's lock CAM, where those who wait do so in the unit.
#define take_cam_sram(count) sram_read_lock((__sram void*)(count))
#define give_cam_sram(count, value) sram_write_unlock((__sram void*)(count), value)

// Rings with all counts in memory (`sync: memory_lock`). Only consumers write the head, only
// producers the tail.
#define QUEUE_HEAD 0      // entries taken out
#define QUEUE_TAIL 4      // entries put in
#define QUEUE_RELEASED 8  // entries given back, where that is not when they are taken out
#define QUEUE_LOCK 12
#define QUEUE_ENTRIES 16

// Bits of the lock longword, for the sides that several threads share.
#define QUEUE_PRODUCERS 1
#define QUEUE_CONSUMERS 2
#define QUEUE_RELEASERS 4

static inline __waits_for_lock void lock_sram(u32 lock, const u32 side) {
  while (sram_test_and_set((__sram void*)lock, side) & side)
    ctx_swap_voluntary();
}

static inline void unlock_sram(u32 lock, const u32 side) {
  sram_clear_bits((__sram void*)lock, side);
}

static inline __waits_for_lock void lock_scratch(u32 lock, const u32 side) {
  while (scratch_test_and_set((__scratch void*)lock, side) & side)
    ctx_swap_voluntary();
}

static inline void unlock_scratch(u32 lock, const u32 side) {
  scratch_clear_bits((__scratch void*)lock, side);
}

// Where a cache fronts the memory, each longword of the control block has a line of its own.
#define ON_OWN_LINE(offset) ((offset) * 16)
