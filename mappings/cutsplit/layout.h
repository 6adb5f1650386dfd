/* CutSplit. Table `trees`: a record of TREE_BYTES for each tree, in increasing order of their first
   rules: the root, the tree's first rule; NO_MATCH instead after the last. Table `tree`: nodes of
   two longwords, the children of a node together.
     node    bits 2..0: the field that is split, or NODE_CUT, or NODE_LEAF. Of a split the others
   are the address of the first child; of a cut bits 5..3 are the field, 12..8 the shift, 31..16 the
   mask; of a leaf bits 31..16 are its number of rules. place   of a split: packets whose field is
   at most this go to the first child, the others to the second. Of a cut the address of the first
   child; the child is number (field >> shift) & mask. Of a leaf the address of its first rule
   number. Leaves and rules are those of HiCuts. Offsets are in longwords. */
#pragma once

#include "../hicuts/rule_layout.h"

#define TREE_BYTES 16u
#define TREE_NODE 0
#define TREE_PLACE 1
#define TREE_FIRST_RULE 2

#define NODE_BYTES 8u
#define NODE_KIND(node) ((node) & 7u)
#define NODE_CHILDREN(node) ((node) & ~7u)
#define NODE_CUT 6u
#define NODE_LEAF 7u
#define NODE_CUT_OF(field, shift, mask) (NODE_CUT | (field) << 3 | (shift) << 8 | (mask) << 16)
#define NODE_LEAF_OF(rules) (NODE_LEAF | (rules) << 16)
#define CUT_FIELD(node) ((node) >> 3 & 7u)
#define CUT_SHIFT(node) ((node) >> 8 & 31u)
#define CUT_MASK(node) ((node) >> 16)
