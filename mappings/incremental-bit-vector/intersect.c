// Bit vector with incremental reads, per packet: ANDs the vectors of all dimensions block by block,
// each with the changes of the packet's interval, and takes the first bit set.
#include "first_bit_set.h"
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

typedef u32 interval_record __attribute__((vector_size(16), aligned(8)));
typedef u32 vector_block __attribute__((vector_size(8), aligned(8)));

// As many longwords of changes as the parameter says; the next change is in the upper half of the
// first.
#define CHANGE_LONGWORDS ((PARAM_CHANGES + 1) / 2)

#define HALF_RULES 32u  // of a block: those of one longword

struct interval {
  u32 vector;  // address of the next block
  u32 changes[3];
};

static inline struct interval read_interval(u32 at) {
  const interval_record record = *(const SPACE_INTERVALS interval_record*)at;
  struct interval interval;
  interval.vector = record[INTERVAL_VECTOR];
  interval.changes[0] = record[INTERVAL_CHANGES];
  interval.changes[1] = record[INTERVAL_CHANGES + 1];
  interval.changes[2] = record[INTERVAL_CHANGES + 2];
  return interval;
}

static inline void leave_change(struct interval* of) {
#if CHANGE_LONGWORDS > 1
  of->changes[0] = of->changes[0] << 16 | of->changes[1] >> 16;
#if CHANGE_LONGWORDS > 2
  of->changes[1] = of->changes[1] << 16 | of->changes[2] >> 16;
  of->changes[2] = of->changes[2] << 16 | NO_CHANGE;
#else
  of->changes[1] = of->changes[1] << 16 | NO_CHANGE;
#endif
#else
  of->changes[0] = of->changes[0] << 16 | NO_CHANGE;
#endif
}

// The rules of a block. Changes of earlier blocks, which were not read, are left.
static inline vector_block rules_of(struct interval* of, u32 block) {
  vector_block rules = *(const SPACE_VECTORS vector_block*)(of->vector + BLOCK_BYTES * block);
#if CHANGE_LONGWORDS > 0
  for (;;) {
    const u32 rule = of->changes[0] >> 16;
    if (rule >> BLOCK_SHIFT > block)
      break;
    const u32 bit = VECTOR_FIRST_BIT >> (rule & (HALF_RULES - 1));
    if (rule >> BLOCK_SHIFT == block) {
      if (rule & HALF_RULES)
        rules[1] ^= bit;
      else
        rules[0] ^= bit;
    }
    leave_change(of);
  }
#endif
  return rules;
}

// Of one more dimension, unless no rule of the block is left.
#define AND_RULES(dimension)                               \
  if (!(rules[0] | rules[1]))                              \
    continue;                                              \
  do {                                                     \
    const vector_block more = rules_of(&dimension, block); \
    rules[0] &= more[0];                                   \
    rules[1] &= more[1];                                   \
  } while (0)

// A block is two longwords. The first rule of one of them, if it has one, is the answer.
#define TAKE_FIRST_RULE(half)                                                              \
  if (rules[half]) {                                                                       \
    writes->rule = BLOCK_RULES * block + HALF_RULES * (half) + first_bit_set(rules[half]); \
    return;                                                                                \
  }

static inline void intersect(const struct intersect_reads* reads, struct intersect_writes* writes) {
  writes->rule = NO_MATCH;
  struct interval first = read_interval(reads->vector[0]);
#if DIMENSIONS > 1
  struct interval second = read_interval(reads->vector[1]);
#endif
#if DIMENSIONS > 2
  struct interval third = read_interval(reads->vector[2]);
#endif
#if DIMENSIONS > 3
  struct interval fourth = read_interval(reads->vector[3]);
#endif
#if DIMENSIONS > 4
  struct interval fifth = read_interval(reads->vector[4]);
#endif
  for (u32 block = 0; block < BLOCKS(RULES); ++block) {
    vector_block rules = rules_of(&first, block);
#if DIMENSIONS > 1
    AND_RULES(second);
#endif
#if DIMENSIONS > 2
    AND_RULES(third);
#endif
#if DIMENSIONS > 3
    AND_RULES(fourth);
#endif
#if DIMENSIONS > 4
    AND_RULES(fifth);
#endif
    TAKE_FIRST_RULE(0);
    TAKE_FIRST_RULE(1);
  }
}
