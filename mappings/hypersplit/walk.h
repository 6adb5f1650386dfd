// HyperSplit: one step from a node of the tree to its child.
#pragma once

#include "layout.h"
#include "split.h"

static inline u32 is_inner(u32 cut) {
  return SPLIT_FIELD(cut) != SPLIT_LEAF;
}

static inline void step(const u32* field, u32* cut, u32* value) {
  read_node(split_child(*cut, *value, field), cut, value);
}

#include "../hicuts/tree_walk.h"
