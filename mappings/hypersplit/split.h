// HyperSplit: from a node to the child of the packet.
#pragma once

#include "../hicuts/tree_node.h"
#include "field_of.h"
#include "layout.h"

static inline u32 split_child(u32 cut, u32 value, const u32* field) {
  u32 child = SPLIT_CHILDREN(cut);
  if (field_of(SPLIT_FIELD(cut), field) > value)
    child += NODE_BYTES;
  return child;
}
