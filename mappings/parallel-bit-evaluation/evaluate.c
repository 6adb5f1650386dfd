// Parallel bit evaluation, per part: the first matching rule among every DIMENSIONS-th of the
// groups that may match. Parts of one packet need not wait for each other.
#include "../aggregated-bit-vector/candidates.h"

#if DIMENSIONS == 1
#define EVERY_OTHER 0xffffffffu
#elif DIMENSIONS == 2
#define EVERY_OTHER 0xaaaaaaaau
#elif DIMENSIONS == 3
#define EVERY_OTHER 0x92492492u
#elif DIMENSIONS == 4
#define EVERY_OTHER 0x88888888u
#else
#define EVERY_OTHER 0x84210842u
#endif

// The first rule of a group that is in all vectors, plus 1; 0 if there is none.
static inline u32 first_of_group(const u32* vector, u32 group) {
  u32 longword = group << PARAM_GROUP_SHIFT;
  for (u32 left = 1u << PARAM_GROUP_SHIFT; left; --left) {
    const u32 bits =
        in_all(vector, BITS_OFFSET(RULES, PARAM_GROUP_SHIFT, PARAM_LEVELS) + 4 * longword);
    if (bits)
      return 32 * longword + first_bit_set(bits) + 1;
    longword += 1;
  }
  return 0;
}

static inline void evaluate(const u32 part, const struct evaluate_reads* reads,
                            struct evaluate_writes* writes) {
  const u32 own = EVERY_OTHER >> part;
  u32 remaining = reads->groups;
  u32 number = reads->number;
  writes->found = 0;
  while (remaining) {
    u32 groups = remaining & own;
    while (groups) {
      const u32 first = first_bit_set(groups);
      writes->found = first_of_group(reads->vector, 32 * number + first);
      if (writes->found)
        return;
      groups &= ~(VECTOR_FIRST_BIT >> first);
    }
    number += 1;
    remaining = next_candidates(reads->vector, &number);
  }
}
