// Aggregated bit vector: the groups of rules that the aggregates of all dimensions leave.
#pragma once

#include "first_bit_set.h"
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

// Written out by dimension, so that the addresses stay in registers; dimensions after one that
// leaves nothing are not read.
static inline u32 in_all(const u32* vector, u32 offset) {
  u32 bits = *(SPACE_VECTORS u32*)(vector[0] + offset);
#if DIMENSIONS > 1
  if (bits)
    bits &= *(SPACE_VECTORS u32*)(vector[1] + offset);
#endif
#if DIMENSIONS > 2
  if (bits)
    bits &= *(SPACE_VECTORS u32*)(vector[2] + offset);
#endif
#if DIMENSIONS > 3
  if (bits)
    bits &= *(SPACE_VECTORS u32*)(vector[3] + offset);
#endif
#if DIMENSIONS > 4
  if (bits)
    bits &= *(SPACE_VECTORS u32*)(vector[4] + offset);
#endif
  return bits;
}

// The first aggregate longword from `*number` on that leaves groups: they are returned, and its
// number; 0 when there is none.
static inline u32 next_candidates(const u32* vector, u32* number) {
#if PARAM_LEVELS == 2
  if (*number >= AGGREGATE_LONGWORDS(RULES, PARAM_GROUP_SHIFT))
    return 0;
  u32 top = in_all(vector, 0) & (0xffffffffu >> *number);
  while (top) {
    *number = first_bit_set(top);
    const u32 groups = in_all(vector, AGGREGATE_OFFSET(PARAM_LEVELS) + 4 * *number);
    if (groups)
      return groups;
    top &= ~(VECTOR_FIRST_BIT >> *number);
  }
#else
  for (; *number < AGGREGATE_LONGWORDS(RULES, PARAM_GROUP_SHIFT); ++*number) {
    const u32 groups = in_all(vector, AGGREGATE_OFFSET(PARAM_LEVELS) + 4 * *number);
    if (groups)
      return groups;
  }
#endif
  return 0;
}
