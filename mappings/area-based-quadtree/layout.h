/* Area-based quadtree. Table `quads`: nodes of QUAD_BYTES, the root first: the children, by the
   next bit of field 0 and of field 1 (QUAD_CHILD); the trie over field 1 of the rules that span the
   node's area in field 0; the trie over field 0 of those that span it in field 1. Tries (from the
   node's level on), lists and rules are those of the grid of tries. Addresses are 0 where there is
   nothing. Offsets in nodes are in longwords. */
#pragma once

#include "../grid-of-tries/layout.h"

#define QUAD_BYTES 32u
#define QUAD_CHILD(first, second) (2 * (first) + (second))
#define QUAD_SPANS_FIRST 4
#define QUAD_SPANS_SECOND 5
