// Tuple space search with pruning: looks only into the hash tables of tuples that have a rule whose
// addresses contain the packet's.
#include "../tuple-space-search/search.h"
#include "first_bit_set.h"
#include "layout.h"

#define PRUNING_LEAF 1u

// What the field's leaf in the trie at `entry` gives.
static inline u32 bitmap_of(u32 entry, u32 key) {
  do {
    entry = *(SPACE_PREFIXES u32*)(entry + 4 * (key >> (32 - PRUNING_STRIDE)));
    key <<= PRUNING_STRIDE;
  } while (!(entry & PRUNING_LEAF));
  return entry ^ PRUNING_LEAF;
}

#define KEY(d) (reads->field[d] << (32 - FIELD_BITS(d)))

// The tuples of one longword of the bitmaps; whether a better rule can follow.
static inline u32 search_tuples(u32 bits, u32 at, const u32* field, u32* rule, u32* action) {
  while (bits) {
    const u32 number = first_bit_set(bits);
    const record tuple = *(const SPACE_TUPLES record*)(at + TUPLE_BYTES * number);
    if (tuple[TUPLE_BEST] >= *rule)
      return 0;
    search_slot(*(SPACE_SLOTS u32*)slot_of(tuple, field), field, rule, action);
    bits &= ~(FIRST_TUPLE_BIT >> number);
  }
  return 1;
}

static inline void search_pruned(const struct search_reads* reads, struct search_writes* writes) {
  u32 first = bitmap_of(TABLE_PREFIXES, KEY(0));
  if (!first)
    return;
#if DIMENSIONS > 1
  u32 second = bitmap_of(TABLE_PREFIXES + PRUNING_NODE_BYTES, KEY(1));
  if (!second)
    return;
#endif
  u32 at = TABLE_TUPLES + TUPLES_OFFSET;
  for (u32 left = *(SPACE_PRUNES u32*)TABLE_PRUNES; left; --left) {
    u32 bits = *(SPACE_PRUNES u32*)first;
#if DIMENSIONS > 1
    bits &= *(SPACE_PRUNES u32*)second;
    second += 4;
#endif
    if (!search_tuples(bits, at, reads->field, &writes->rule, &writes->action))
      return;
    first += 4;
    at += 32 * TUPLE_BYTES;
  }
}

static inline void search(const struct search_reads* reads, struct search_writes* writes) {
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY | begin_lookup();
  search_pruned(reads, writes);
  writes->action = end_lookup(writes->action);
}
