// CutSplit: one tree after another, while one can hold a better rule than the best so far.
#include "../hicuts/match_rule.h"
#include "../hypersplit/split.h"
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

// Four longwords: two quadwords of SDRAM.
typedef u32 tree_record __attribute__((vector_size(16), aligned(8)));

// The address of the child that the packet goes to.
static inline u32 child_of(u32 node, u32 place, const u32* field) {
  if (SPLIT_FIELD(node) == CUT_NODE) {
    const u32 value = field_of(CUT_FIELD(node), field);
    return place + NODE_BYTES * (value >> CUT_SHIFT(node) & CUT_MASK(node));
  }
  return split_child(node, place, field);
}

static inline void scan_leaf(u32 at, u32 left, const struct search_reads* reads,
                             struct search_writes* writes) {
  for (; left; --left) {
    const u32 number = *(SPACE_LEAVES u32*)at;
    if (number >= writes->rule)
      return;
    if (match_rule(number, reads->field, &writes->action)) {
      writes->rule = number;
      return;
    }
    at += LEAF_RULE_BYTES;
  }
}

static inline void search(const struct search_reads* reads, struct search_writes* writes) {
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY;
  u32 at = TABLE_TREES;
  for (;;) {
    const tree_record tree = *(const SPACE_TREES tree_record*)at;
    if (tree[TREE_FIRST_RULE] >= writes->rule)
      return;
    u32 node = tree[TREE_NODE];
    u32 place = tree[TREE_PLACE];
    while (SPLIT_FIELD(node) != SPLIT_LEAF) {
      const node_pair next = *(const SPACE_TREE node_pair*)child_of(node, place, reads->field);
      node = next[0];
      place = next[1];
    }
    scan_leaf(place, LEAF_RULES(node), reads, writes);
    at += TREE_BYTES;
  }
}
