// Area-based quadtree: from the root to the smallest area around the packet's point, and in each
// area the rules that span it.
#include "layout.h"

#include "../grid-of-tries/list_trie.h"

typedef u32 quad __attribute__((vector_size(32), aligned(8)));

static inline u32 child_of(const quad node, u32 first, u32 second) {
  if (first & 0x80000000)
    return second & 0x80000000 ? node[QUAD_CHILD(1, 1)] : node[QUAD_CHILD(1, 0)];
  return second & 0x80000000 ? node[QUAD_CHILD(0, 1)] : node[QUAD_CHILD(0, 0)];
}

static inline void search(const struct search_reads* reads, struct search_writes* writes) {
  u32 first = LEFT_JUSTIFIED(0);
  u32 second = SECOND_KEY;
  u32 at = TABLE_QUADS;
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY;
  while (at) {
    const quad node = *(const SPACE_QUADS quad*)at;
    search_trie(node[QUAD_SPANS_FIRST], second, reads->field, &writes->rule, &writes->action);
    search_trie(node[QUAD_SPANS_SECOND], first, reads->field, &writes->rule, &writes->action);
    at = child_of(node, first, second);
    first <<= 1;
    second <<= 1;
  }
}
