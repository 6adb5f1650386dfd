// HyperSplit: from a node of the tree towards a leaf.
#pragma once

#include "field_of.h"
#include "layout.h"
#include "microengine.h"
#include "placement.h"

// One reference: a quadword of SDRAM, two longwords of SRAM or scratch.
typedef u32 node_pair __attribute__((vector_size(8), aligned(8)));

static inline void read_node(u32 address, u32* cut, u32* value) {
  const node_pair node = *(const SPACE_TREE node_pair*)address;
  *cut = node[NODE_CUT];
  *value = node[NODE_VALUE];
}

static inline u32 is_inner(u32 cut) {
  return SPLIT_FIELD(cut) != SPLIT_LEAF;
}

static inline void step(const u32* field, u32* cut, u32* value) {
  u32 child = SPLIT_CHILDREN(*cut);
  if (field_of(SPLIT_FIELD(*cut), field) > *value)
    child += NODE_BYTES;
  read_node(child, cut, value);
}

// PARAM_LEVELS levels, or to a leaf.
static inline void walk_levels(const u32* field, u32* cut, u32* value) {
  for (u32 level = PARAM_LEVELS; level && is_inner(*cut); --level)
    step(field, cut, value);
}
