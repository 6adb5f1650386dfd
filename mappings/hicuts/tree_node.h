// A node of a decision tree: two longwords.
#pragma once

#include "microengine.h"
#include "placement.h"

// One reference: a quadword of SDRAM, two longwords of SRAM or scratch.
typedef u32 node_pair __attribute__((vector_size(8), aligned(8)));

static inline void read_node(u32 address, u32* cut, u32* place) {
  const node_pair node = *(const SPACE_TREE node_pair*)address;
  *cut = node[0];
  *place = node[1];
}
