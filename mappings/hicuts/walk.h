// HiCuts: one step from a node of the tree to its child.
#pragma once

#include "field_of.h"
#include "layout.h"
#include "tree_node.h"

static inline u32 is_inner(u32 cut) {
  return CUT_FIELD(cut) != CUT_LEAF;
}

static inline void step(const u32* field, u32* cut, u32* place) {
  const u32 child = field_of(CUT_FIELD(*cut), field) >> CUT_SHIFT(*cut) & CUT_MASK(*cut);
  read_node(*place + ENTRY_BYTES * child, cut, place);
}

#include "tree_walk.h"
