// Aggregated bit vector, per packet: looks at the vectors of the groups that may match. A group of
// which no rule matches was a false one, and the search goes on.
#include "candidates.h"
#include "first_bit_set.h"

#if PARAM_REARRANGED
// Positions are not in the rules' order: the least rule of all that match.
#define KEEP(position)                                                               \
  do {                                                                               \
    const u32 rule = *(SPACE_ORDER u32*)(TABLE_ORDER + POSITION_BYTES * (position)); \
    if (rule < writes->rule)                                                         \
      writes->rule = rule;                                                           \
  } while (0)
#else
#define KEEP(position)         \
  do {                         \
    writes->rule = (position); \
    return;                    \
  } while (0)
#endif

static inline void evaluate(const struct evaluate_reads* reads, struct evaluate_writes* writes) {
  writes->rule = NO_MATCH;
  u32 groups = reads->groups;
  u32 number = reads->number;
  while (groups) {
    const u32 first = first_bit_set(groups);
    groups &= ~(VECTOR_FIRST_BIT >> first);
    u32 longword = (32 * number + first) << PARAM_GROUP_SHIFT;
    for (u32 left = 1u << PARAM_GROUP_SHIFT; left; --left) {
      u32 bits =
          in_all(reads->vector, BITS_OFFSET(RULES, PARAM_GROUP_SHIFT, PARAM_LEVELS) + 4 * longword);
      while (bits) {
        const u32 bit = first_bit_set(bits);
        KEEP(32 * longword + bit);
        bits &= ~(VECTOR_FIRST_BIT >> bit);
      }
      longword += 1;
    }
    if (groups)
      continue;
    number += 1;
    groups = next_candidates(reads->vector, &number);
  }
}
