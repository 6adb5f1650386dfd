// Tuple space search with markers and precomputation: one way through the grid of tuples. A hit
// leaves nothing to look for in shorter prefixes, a miss nothing in longer ones (layout.h).
#include "layout.h"

#include "../tuple-space-search/search.h"

#define SECOND_FIELD(field) (DIMENSIONS > 1 ? (field)[1 % DIMENSIONS] : 0)

#if PARAM_HASH_UNIT
static inline u32 pair_hash(u32 first, u32 second) {
  return hash_64(first, second)[1];
}
#else
static inline u32 pair_hash(u32 first, u32 second) {
  return finish_hash(mix(mix(0, first), second));
}
#endif

// The pair that the packet's fields have in the tuple; 0 if it has none.
static inline u32 find_pair(const record tuple, const u32* field) {
  const u32 first = field[0] & tuple[TUPLE_RECORD_MASK(0)];
  const u32 second = SECOND_FIELD(field) & tuple[TUPLE_RECORD_MASK(1)];
  const u32 slot = pair_hash(first, second) & tuple[TUPLE_RECORD_SLOT_MASK];
  u32 at = *(SPACE_SLOTS u32*)(tuple[TUPLE_RECORD_SLOTS] + slot);
  while (at) {
    const record pair = *(const SPACE_PAIRS record*)at;
    if (pair[PAIR_KEY(0)] == first && pair[PAIR_KEY(1)] == second)
      return at;
    at = pair[PAIR_NEXT];
  }
  return 0;
}

// The rules of a pair and of the pairs that cover it, as far as one can be better.
static inline void search_pairs(u32 at, const u32* field, u32* rule, u32* action) {
  do {
    const record pair = *(const SPACE_PAIRS record*)at;
    if (pair[PAIR_BEST] >= *rule)
      return;
    search_slot(pair[PAIR_RULES], field, rule, action);
    at = pair[PAIR_COVERING];
  } while (at);
}

static inline void search_grid(const struct search_reads* reads, struct search_writes* writes) {
  u32 at = TABLE_TUPLES;
  do {
    const record tuple = *(const SPACE_TUPLES record*)at;
    if (tuple[TUPLE_RECORD_BEST] >= writes->rule)
      return;
    const u32 pair = find_pair(tuple, reads->field);
    if (pair) {
      search_pairs(pair, reads->field, &writes->rule, &writes->action);
      at = tuple[TUPLE_RECORD_AFTER_HIT];
    } else {
      at = tuple[TUPLE_RECORD_AFTER_MISS];
    }
  } while (at);
}

static inline void search(const struct search_reads* reads, struct search_writes* writes) {
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY | begin_lookup();
  search_grid(reads, writes);
  writes->action = end_lookup(writes->action);
}
