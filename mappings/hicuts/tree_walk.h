// From a node of a decision tree towards a leaf. What differs from tree to tree comes before this
// page: is_inner(cut), and step(field, cut, place), which goes to the child of the packet.
#pragma once

#include "microengine.h"
#include "placement.h"

// PARAM_LEVELS levels, or to a leaf.
static inline void walk_levels(const u32* field, u32* cut, u32* place) {
  for (u32 level = PARAM_LEVELS; level && is_inner(*cut); --level)
    step(field, cut, place);
}

// All levels that are left.
static inline void walk_to_leaf(const u32* field, u32* cut, u32* place) {
  while (is_inner(*cut))
    step(field, cut, place);
}
