// A lookup counts itself in and out where rules come and go meanwhile (readers.h). From the first
// task to the last, maybe by way of queues, its epoch travels in the action's highest bit, which no
// action has.
#pragma once

#include "microengine.h"
#include "placement.h"
#include "readers.h"

#define EPOCH_BIT 31u

#if PARAM_UPDATES
// Only scratch memory adds one atomically.
static inline void count_lookup(u32 counter) {
  scratch_incr((SPACE_READERS void*)(TABLE_READERS + counter));
}

// Blocks until it is counted: the core processor may then let nothing go that this lookup could
// find.
static inline u32 begin_lookup(void) {
  const u32 epoch = *(volatile SPACE_READERS u32*)(TABLE_READERS + READERS_EPOCH);
  count_lookup(READERS_BEGUN(epoch));
  return epoch << EPOCH_BIT;
}
static inline u32 lookup_mark(u32 action) {
  return action & 1u << EPOCH_BIT;
}
static inline u32 end_lookup(u32 action) {
  count_lookup(READERS_ENDED(action >> EPOCH_BIT));
  return action & ~(1u << EPOCH_BIT);
}
#else
static inline u32 begin_lookup(void) {
  return 0;
}
static inline u32 lookup_mark(u32 action) {
  (void)action;
  return 0;
}
static inline u32 end_lookup(u32 action) {
  return action;
}
#endif
