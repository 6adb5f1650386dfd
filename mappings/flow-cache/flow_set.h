// The set of a key, and its entries.
#pragma once

#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

// One reference reads or writes an entry, so that it is never half of one thread's and half of
// another's.
typedef u32 flow_entry __attribute__((vector_size(32), aligned(8)));

#define FLOW_FIELD(field, number) ((number) < DIMENSIONS ? (field)[(number) % DIMENSIONS] : 0)

// Jenkins' one-at-a-time hash, a longword at a time.
static inline u32 mix_flow(u32 hash, u32 field) {
  hash ^= field;
  hash += hash << 10;
  return hash ^ hash >> 6;
}

static inline u32 flow_set(const u32* field) {
#if PARAM_FLOW_SETS_SHIFT == 0
  (void)field;
  return TABLE_FLOWS;
#else
  u32 hash = mix_flow(0, field[0]);
#if DIMENSIONS > 1
  hash = mix_flow(hash, field[1]);
#endif
#if DIMENSIONS > 2
  hash = mix_flow(hash, field[2]);
#endif
#if DIMENSIONS > 3
  hash = mix_flow(hash, field[3]);
#endif
#if DIMENSIONS > 4
  hash = mix_flow(hash, field[4]);
#endif
  hash += hash << 3;
  hash ^= hash >> 11;
  hash += hash << 15;
  return TABLE_FLOWS + (hash >> (32 - PARAM_FLOW_SETS_SHIFT)) * (FLOW_BYTES * PARAM_FLOW_WAYS);
#endif
}

static inline flow_entry read_flow(u32 at) {
  return *(const volatile SPACE_FLOWS flow_entry*)at;
}

static inline void write_flow(u32 at, flow_entry entry) {
  *(volatile SPACE_FLOWS flow_entry*)at = entry;
}

#if PARAM_FLOW_TIMEOUT
static inline u32 flow_time(void) {
  return cycle_count() >> 10 & FLOW_TIME_MASK;
}
#else
static inline u32 flow_time(void) {
  return 0;
}
#endif
