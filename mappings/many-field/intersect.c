// Many fields, per packet: ANDs the vectors of all searches, from the rules of highest priority
// down, and looks for the first match at the end of each sub-vector.
#include "first_bit_set.h"
#include "superfields.h"
#include "verdict.h"

#define BURST_LONGWORDS (2 * PARAM_BURST_QUADWORDS)
#define BURST_BYTES (4u * BURST_LONGWORDS)
typedef u32 burst __attribute__((vector_size(8 * PARAM_BURST_QUADWORDS), aligned(8)));

// What the compiler knows of a value ends here.
#define HIDE_VALUE(value) __asm__("" : "+r"(value))

// Does the burst at `offset` end a sub-vector?
static inline __attribute__((unused)) u32 ends_sub_vector(u32 offset) {
#if PARAM_SUB_VECTOR
  return !((offset + BURST_BYTES) & (4u * PARAM_SUB_VECTOR - 1));
#else
  (void)offset;
  return 0;
#endif
}

#define READ_VECTOR(address, offset) (*(const SPACE_VECTORS burst*)((address) + (offset)))

#if SEARCHES <= MOST_IN_REGISTERS
static inline void keep_vectors(const struct intersect_reads* reads) {
  (void)reads;
}

static inline burst rules_in_all(const struct intersect_reads* reads, u32 offset) {
  burst bits = READ_VECTOR(reads->vector[0], offset);
#define AND(d)                                       \
  if ((d) > 0 && (d) < DIMENSIONS && IS_SEARCHED(d)) \
    bits &= READ_VECTOR(reads->vector[(d) % DIMENSIONS], offset);
  EACH_FIELD(AND)
#undef AND
  return bits;
}
#else
// More addresses than fit in registers beside the rest: each thread keeps them in memory and reads
// eight at a time into transfer registers, two references for fifteen vectors.
typedef u32 addresses __attribute__((vector_size(32), aligned(8)));
static __sram addresses kept_vectors[CONTEXTS][3];
enum { kSearches = SEARCHES };  // EACH_FIELD does not nest

// Of the searches alone, in their order.
static inline void keep_vectors(const struct intersect_reads* reads) {
  addresses eight = {0};
  u32 kept = 0;
#define KEEP(d)                                                                  \
  if ((d) < DIMENSIONS && IS_SEARCHED(d)) {                                      \
    eight[kept % 8] = reads->vector[(d) % DIMENSIONS];                           \
    kept += 1;                                                                   \
    if (kept % 8 == 0 || kept == kSearches)                                      \
      *(volatile __sram addresses*)&kept_vectors[ctx()][(kept - 1) / 8] = eight; \
  }
  EACH_FIELD(KEEP)
#undef KEEP
}

static inline burst rules_in_all(const struct intersect_reads* reads, u32 offset) {
  (void)reads;
  addresses eight = *(volatile __sram addresses*)&kept_vectors[ctx()][0];
  burst bits = READ_VECTOR(eight[0], offset);
  u32 kept = 1;
#define AND(d)                                                             \
  if ((d) > 0 && (d) < DIMENSIONS && IS_SEARCHED(d)) {                     \
    if (kept % 8 == 0)                                                     \
      eight = *(volatile __sram addresses*)&kept_vectors[ctx()][kept / 8]; \
    bits &= READ_VECTOR(eight[kept % 8], offset);                          \
    kept += 1;                                                             \
  }
  EACH_FIELD(AND)
#undef AND
  return bits;
}
#endif

// NO_MATCH when no bit is set.
static inline u32 first_rule(const burst bits, u32 offset) {
  u32 rule = 8 * offset;
  u32 word = bits[0];
#define NEXT(number)                         \
  if ((number) < BURST_LONGWORDS && !word) { \
    word = bits[(number) % BURST_LONGWORDS]; \
    rule += 32;                              \
  }
  NEXT(1)
  NEXT(2)
  NEXT(3)
  NEXT(4)
  NEXT(5)
  NEXT(6)
  NEXT(7)
#undef NEXT
  return word ? rule + first_bit_set(word) : NO_MATCH;
}

#if PARAM_SUB_VECTOR == BURST_LONGWORDS
// A sub-vector is what one reference reads.
static inline void intersect(const struct intersect_reads* reads, struct intersect_writes* writes) {
  u32 rule = NO_MATCH;
  u32 end = RULE_VECTOR_BYTES(RULES);
  HIDE_VALUE(end);  // unrolled, the loop takes more registers and words than there are
  keep_vectors(reads);
  for (u32 offset = 0; rule == NO_MATCH && offset < end; offset += BURST_BYTES)
    rule = first_rule(rules_in_all(reads, offset), offset);
  writes->rule = rule;
}
#else
static inline void intersect(const struct intersect_reads* reads, struct intersect_writes* writes) {
  u32 rule = NO_MATCH;
  u32 end = RULE_VECTOR_BYTES(RULES);
  HIDE_VALUE(end);  // unrolled, the loop takes more registers than there are
  keep_vectors(reads);
  for (u32 offset = 0; offset < end; offset += BURST_BYTES) {
    const u32 first = first_rule(rules_in_all(reads, offset), offset);
    rule = first < rule ? first : rule;
    if (rule != NO_MATCH && ends_sub_vector(offset))
      break;
  }
  writes->rule = rule;
}
#endif
