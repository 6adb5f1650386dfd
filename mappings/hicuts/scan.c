// HiCuts: the rules of a leaf one after another, to the first that matches.
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

typedef u32 half_rule __attribute__((vector_size(32), aligned(8)));

#define OUTSIDE(half, number, first)                           \
  (reads->field[number] - (half)[RULE_LOW(number) - (first)] > \
   (half)[RULE_HIGH(number) - (first)] - (half)[RULE_LOW(number) - (first)])

static inline u32 misses_front(const struct scan_reads* reads, const half_rule rule) {
  if (OUTSIDE(rule, 0, 0))
    return 1;
#if DIMENSIONS > 1
  if (OUTSIDE(rule, 1, 0))
    return 1;
#endif
#if DIMENSIONS > 2
  if (OUTSIDE(rule, 2, 0))
    return 1;
#endif
#if DIMENSIONS > 3
  if (OUTSIDE(rule, 3, 0))
    return 1;
#endif
  return 0;
}

static inline void scan(const struct scan_reads* reads, struct scan_writes* writes) {
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY;
  u32 at = reads->place;
  for (u32 left = LEAF_RULES(reads->cut); left; --left) {
    const u32 number = *(SPACE_LEAVES u32*)at;
    const u32 record = TABLE_RULES + (number << RULE_SHIFT);
    if (!misses_front(reads, *(const SPACE_RULES half_rule*)record)) {
      const half_rule back = *(const SPACE_RULES half_rule*)(record + BURST_BYTES);
#if DIMENSIONS > 4
      if (!OUTSIDE(back, 4, BURST_LONGWORDS))
#endif
      {
        writes->rule = number;
        writes->action = back[RULE_ACTION - BURST_LONGWORDS];
        return;
      }
    }
    at += LEAF_RULE_BYTES;
  }
}
