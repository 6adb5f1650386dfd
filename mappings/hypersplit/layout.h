/* Table `tree`: nodes of two longwords, the root first. The two children of a node are adjacent.
     cut    bits 2..0: the field that is compared, or SPLIT_LEAF; the others are the address of the
            first child. Of a leaf bits 31..16 are its number of rules (LEAF_RULES of HiCuts).
     value  packets whose field is at most this go to the first child, the others to the second. Of
            a leaf the address of its first rule number, 0 if it has none.
   Leaves and rules are those of HiCuts. Offsets in nodes are in longwords. */
#pragma once

#include "../hicuts/rule_layout.h"

#define NODE_BYTES 8u
#define NODE_CUT 0
#define NODE_VALUE 1

#define SPLIT_FIELD(cut) ((cut) & 7u)
#define SPLIT_CHILDREN(cut) ((cut) & ~7u)
#define SPLIT_LEAF 7u
#define SPLIT_LEAF_OF(rules) ((rules) << 16 | SPLIT_LEAF)
