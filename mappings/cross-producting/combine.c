// Cross-producting: from the classes of all dimensions to the rule.
#include "../hicuts/match_rule.h"
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

#define CLASS(d) ((d) < DIMENSIONS ? reads->vector[(d) % DIMENSIONS] : 0)

#if PARAM_CACHE_SHIFT == 0
static inline void combine(const struct combine_reads* reads, struct combine_writes* writes) {
  const u32 marked = CLASS(0) + CLASS(1) + CLASS(2) + CLASS(3) + CLASS(4);
  writes->rule = *(SPACE_PRODUCTS u32*)(TABLE_PRODUCTS + marked - DIMENSIONS * CLASS_MARK);
}
#else
// One reference writes or reads it, so that it is never half of one thread's and half of another's.
typedef u32 cached_product __attribute__((vector_size(16), aligned(8)));

static inline u32 first_match(const u32* field) {
  u32 action;
  for (u32 rule = 0; rule < RULES; ++rule) {
    if (match_rule(rule, field, &action))
      return rule;
  }
  return NO_MATCH;
}

static inline void combine(const struct combine_reads* reads, struct combine_writes* writes) {
  cached_product own;
  own[0] = CLASS_PAIR(CLASS(0), CLASS(1));
  own[1] = CLASS_PAIR(CLASS(2), CLASS(3));
  own[2] = CLASS(4);
  const u32 hash = hash_of_tag(own[0], own[1], own[2]);
  const u32 at = TABLE_PRODUCTS + (hash >> (32 - PARAM_CACHE_SHIFT) << CACHED_BYTES_SHIFT);
  const cached_product cached = *(const SPACE_PRODUCTS cached_product*)at;
  if (cached[0] == own[0] && cached[1] == own[1] && cached[2] == own[2]) {
    writes->rule = cached[CACHED_RULE];
    return;
  }
  own[CACHED_RULE] = first_match(reads->field);
  *(SPACE_PRODUCTS cached_product*)at = own;
  writes->rule = own[CACHED_RULE];
}
#endif
