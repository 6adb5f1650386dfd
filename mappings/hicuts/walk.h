// HiCuts: from a node of the tree towards a leaf.
#pragma once

#include "field_of.h"
#include "layout.h"
#include "microengine.h"
#include "placement.h"

// One reference: a quadword of SDRAM, two longwords of SRAM or scratch.
typedef u32 entry_pair __attribute__((vector_size(8), aligned(8)));

static inline void read_entry(u32 address, u32* cut, u32* place) {
  const entry_pair entry = *(const SPACE_TREE entry_pair*)address;
  *cut = entry[ENTRY_CUT];
  *place = entry[ENTRY_PLACE];
}

static inline u32 is_inner(u32 cut) {
  return CUT_FIELD(cut) != CUT_LEAF;
}

static inline void step(const u32* field, u32* cut, u32* place) {
  const u32 child = field_of(CUT_FIELD(*cut), field) >> CUT_SHIFT(*cut) & CUT_MASK(*cut);
  read_entry(*place + ENTRY_BYTES * child, cut, place);
}

// PARAM_LEVELS levels, or to a leaf.
static inline void walk_levels(const u32* field, u32* cut, u32* place) {
  for (u32 level = PARAM_LEVELS; level && is_inner(*cut); --level)
    step(field, cut, place);
}
