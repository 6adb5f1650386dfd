/* Fat inverted segment tree. Table `firsts`: a trie over field 0 whose leaves give the address of
   the segment's node in table `segments`. A node of SEGMENT_BYTES: its parent, 0 for the root; the
   root of its trie over field 1 in table `seconds`, 0 where it has no rules. Leaves of these tries
   give the address of a list, 0 where no rule matches. Tries are those of the bit vector with a
   stride of SEGMENT_STRIDE bits; lists are those of the grid of tries, rules those of HiCuts.
   Offsets in nodes are in longwords. */
#pragma once

#include "../grid-of-tries/layout.h"

#define SEGMENT_STRIDE 4

#define SEGMENT_BYTES 8u
#define SEGMENT_PARENT 0
#define SEGMENT_TRIE 1
