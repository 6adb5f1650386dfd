// Does a packet match a rule? The rule's record is that of layout.h, read by one or two bursts.
#pragma once

#include "microengine.h"
#include "placement.h"
#include "rule_layout.h"

typedef u32 half_rule __attribute__((vector_size(32), aligned(8)));

#define OUTSIDE(half, number, first)                    \
  (field[number] - (half)[RULE_LOW(number) - (first)] > \
   (half)[RULE_HIGH(number) - (first)] - (half)[RULE_LOW(number) - (first)])

static inline u32 misses_front(const half_rule rule, const u32* field) {
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

// If it matches, `*action` is the rule's.
static inline u32 match_rule(u32 number, const u32* field, u32* action) {
  const u32 record = TABLE_RULES + (number << RULE_SHIFT);
  if (misses_front(*(const SPACE_RULES half_rule*)record, field))
    return 0;
  const half_rule back = *(const SPACE_RULES half_rule*)(record + BURST_BYTES);
#if DIMENSIONS > 4
  if (OUTSIDE(back, 4, BURST_LONGWORDS))
    return 0;
#endif
  *action = back[RULE_ACTION - BURST_LONGWORDS];
  return 1;
}
