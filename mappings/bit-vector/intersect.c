// Bit vector, per packet: ANDs the vectors of all dimensions longword by longword and takes the
// first bit set.
#include "first_bit_set.h"
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

#if PARAM_FIND_BSET == 0
// As first_bit_set finds it, bit by bit.
static inline u32 first_rule(u32 bits) {
  u32 number = 0;
  while (!(bits & VECTOR_FIRST_BIT)) {
    bits <<= 1;
    number += 1;
  }
  return number;
}
#else
static inline u32 first_rule(u32 bits) {
  return first_bit_set(bits);
}
#endif

// Written out by dimension, so that the addresses stay in registers without loop unrolling.
static inline u32 is_uncovered(const struct intersect_reads* reads) {
  return !reads->vector[0]
#if DIMENSIONS > 1
         || !reads->vector[1]
#endif
#if DIMENSIONS > 2
         || !reads->vector[2]
#endif
#if DIMENSIONS > 3
         || !reads->vector[3]
#endif
#if DIMENSIONS > 4
         || !reads->vector[4]
#endif
      ;
}

static inline u32 rules_in_all(const struct intersect_reads* reads, u32 offset) {
  u32 bits = *(SPACE_VECTORS u32*)(reads->vector[0] + offset);
#if DIMENSIONS > 1
  bits &= *(SPACE_VECTORS u32*)(reads->vector[1] + offset);
#endif
#if DIMENSIONS > 2
  bits &= *(SPACE_VECTORS u32*)(reads->vector[2] + offset);
#endif
#if DIMENSIONS > 3
  bits &= *(SPACE_VECTORS u32*)(reads->vector[3] + offset);
#endif
#if DIMENSIONS > 4
  bits &= *(SPACE_VECTORS u32*)(reads->vector[4] + offset);
#endif
  return bits;
}

static inline void intersect(const struct intersect_reads* reads, struct intersect_writes* writes) {
  writes->rule = NO_MATCH;
  if (is_uncovered(reads))
    return;
  for (u32 offset = 0; offset < 4 * VECTOR_LONGWORDS(RULES); offset += 4) {
    u32 bits = rules_in_all(reads, offset);
    if (bits) {
      writes->rule = 8 * offset + first_rule(bits);
      return;
    }
  }
}
