// Tuple space search: looks into the hash tables of one part of the tuples, the best rule found so
// far at hand.
#pragma once

#include "layout.h"
#include "lookup_mark.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

// Eight longwords: one burst of SRAM or scratch, four quadwords of SDRAM.
typedef u32 record __attribute__((vector_size(32), aligned(8)));

static inline u32 is_inside(u32 value, u32 low, u32 high) {
  return value - low <= high - low;
}

// The fields of a key under a tuple's mask; those that the rules have not are 0.
#define MASKED(number) \
  ((number) < DIMENSIONS ? field[(number) % DIMENSIONS] & tuple[TUPLE_MASK(number)] : 0)

#if PARAM_HASH_UNIT
// By the hash unit, whose multiplier a thread sets before its first packet.
static inline void set_hash_multiplier(void) {
  csr_write(hash_multiplier_2, HASH_MULTIPLIER_LOW);
  csr_write(hash_multiplier_3, HASH_MULTIPLIER_HIGH);
}

static inline u32 hash_of(const record tuple, const u32* field) {
  const u32 high = FOLDED_HIGH(MASKED(0), MASKED(3));
  const u32 low = FOLDED_LOW(MASKED(1), MASKED(2), MASKED(4));
  return hash_64(high, low)[1];
}
#else
static inline void set_hash_multiplier(void) {}

static inline u32 hash_of(const record tuple, const u32* field) {
  u32 hash = mix(0, field[0] & tuple[TUPLE_MASK(0)]);
#if DIMENSIONS > 1
  hash = mix(hash, field[1] & tuple[TUPLE_MASK(1)]);
#endif
#if DIMENSIONS > 2
  hash = mix(hash, field[2] & tuple[TUPLE_MASK(2)]);
#endif
#if DIMENSIONS > 3
  hash = mix(hash, field[3] & tuple[TUPLE_MASK(3)]);
#endif
#if DIMENSIONS > 4
  hash = mix(hash, field[4] & tuple[TUPLE_MASK(4)]);
#endif
  return finish_hash(hash);
}
#endif

static inline u32 slot_of(const record tuple, const u32* field) {
  return tuple[TUPLE_SLOTS] + (hash_of(tuple, field) & tuple[TUPLE_SLOT_MASK]);
}

// The fields of an entry's first burst.
static inline u32 matches_front(const record entry, const u32* field) {
  if (!is_inside(field[0], entry[ENTRY_LOW(0)], entry[ENTRY_HIGH(0)]))
    return 0;
#if DIMENSIONS > 1
  if (!is_inside(field[1], entry[ENTRY_LOW(1)], entry[ENTRY_HIGH(1)]))
    return 0;
#endif
#if DIMENSIONS > 2
  if (!is_inside(field[2], entry[ENTRY_LOW(2)], entry[ENTRY_HIGH(2)]))
    return 0;
#endif
  return 1;
}

#define BACK(index) ((index) - BURST_LONGWORDS)
static inline u32 matches_back(const record entry, const u32* field) {
  (void)entry;  // of three fields or fewer none is left for the second burst
  (void)field;
#if DIMENSIONS > 3
  if (!is_inside(field[3], entry[BACK(ENTRY_LOW(3))], entry[BACK(ENTRY_HIGH(3))]))
    return 0;
#endif
#if DIMENSIONS > 4
  if (!is_inside(field[4], entry[BACK(ENTRY_LOW(4))], entry[BACK(ENTRY_HIGH(4))]))
    return 0;
#endif
  return 1;
}

// Follows a slot's entries to the first that matches, or to one that would be no better.
static inline void search_slot(u32 at, const u32* field, u32* rule, u32* action) {
  while (at) {
    const record front = *(const SPACE_ENTRIES record*)at;
    if (front[ENTRY_RULE] >= *rule)
      return;
    if (matches_front(front, field)) {
      const record back = *(const SPACE_ENTRIES record*)(at + BURST_BYTES);
      if (matches_back(back, field)) {
        *rule = front[ENTRY_RULE];
        *action = back[BACK(ENTRY_ACTION)] | lookup_mark(*action);
        return;
      }
    }
    at = front[ENTRY_NEXT];
  }
}

// The tuples come in decreasing priority of their best rules, so the first that cannot win ends the
// search; without early stop, the end of the part does.
#if defined(PARAM_EARLY_STOP) && !PARAM_EARLY_STOP
#define ENDS_SEARCH(best, rule) ((best) == NO_MATCH)
#else
#define ENDS_SEARCH(best, rule) ((best) >= (rule))
#endif
static inline void search_group(const u32 group, const u32* field, u32* rule, u32* action) {
  u32 at = *(SPACE_TUPLES u32*)(TABLE_TUPLES + GROUP_BYTES * group);
  for (;;) {
    const record tuple = *(const SPACE_TUPLES record*)at;
    if (ENDS_SEARCH(tuple[TUPLE_BEST], *rule))
      return;
    search_slot(*(SPACE_SLOTS u32*)slot_of(tuple, field), field, rule, action);
    at += TUPLE_BYTES;
  }
}
