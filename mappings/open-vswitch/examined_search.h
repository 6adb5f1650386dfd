// Tuple space search (../tuple-space-search/search.h) that notes which bits it looks at, in any
// order of the tables, with or without an early stop.
#pragma once

#include "examined.h"

static inline u32 examined_front(record entry, const u32* field, examined_bits* examined) {
  if (!EXAMINE_INSIDE(examined, 0, field[0], entry[ENTRY_LOW(0)], entry[ENTRY_HIGH(0)]))
    return 0;
#if DIMENSIONS > 1
  if (!EXAMINE_INSIDE(examined, 1, field[1], entry[ENTRY_LOW(1)], entry[ENTRY_HIGH(1)]))
    return 0;
#endif
#if DIMENSIONS > 2
  if (!EXAMINE_INSIDE(examined, 2, field[2], entry[ENTRY_LOW(2)], entry[ENTRY_HIGH(2)]))
    return 0;
#endif
  return 1;
}

static inline u32 examined_back(record entry, const u32* field, examined_bits* examined) {
  (void)entry;  // of three fields or fewer none is left for the second burst
  (void)field;
  (void)examined;
#if DIMENSIONS > 3
  if (!EXAMINE_INSIDE(examined, 3, field[3], entry[BACK(ENTRY_LOW(3))], entry[BACK(ENTRY_HIGH(3))]))
    return 0;
#endif
#if DIMENSIONS > 4
  if (!EXAMINE_INSIDE(examined, 4, field[4], entry[BACK(ENTRY_LOW(4))], entry[BACK(ENTRY_HIGH(4))]))
    return 0;
#endif
  return 1;
}

static inline void examine_slot(u32 at, const u32* field, examined_bits* examined, u32* rule,
                                u32* action) {
  while (at) {
    const record front = *(const SPACE_ENTRIES record*)at;
    if (front[ENTRY_RULE] >= *rule)
      return;
    if (examined_front(front, field, examined)) {
      const record back = *(const SPACE_ENTRIES record*)(at + BURST_BYTES);
      if (examined_back(back, field, examined)) {
        *rule = front[ENTRY_RULE];
        *action = back[BACK(ENTRY_ACTION)] | lookup_mark(*action);
        return;
      }
    }
    at = front[ENTRY_NEXT];
  }
}

// A table whose best rule cannot win: it and all after it, where the tables come in the order of
// their best rules, or it alone. Without early stop every table is searched.
#define CANNOT_WIN(best, rule) (PARAM_EARLY_STOP && (best) >= (rule))

static inline void examine_group(u32 group, const u32* field, examined_bits* examined, u32* rule,
                                 u32* action) {
  u32 at = *(SPACE_TUPLES u32*)(TABLE_TUPLES + GROUP_BYTES * group);
  for (;; at += TUPLE_BYTES) {
    const record tuple = *(const SPACE_TUPLES record*)at;
    if (tuple[TUPLE_BEST] == NO_MATCH)
      return;
    if (CANNOT_WIN(tuple[TUPLE_BEST], *rule)) {
      if (PARAM_ORDERED)
        return;
      continue;
    }
    examine_tuple(examined, tuple);
    examine_slot(*(SPACE_SLOTS u32*)slot_of(tuple, field), field, examined, rule, action);
  }
}
