/* CutSplit. Table `trees`: a record of TREE_BYTES for each tree, in increasing order of their first
   rules: the root, the tree's first rule; NO_MATCH instead after the last. Table `tree`: nodes of
   two longwords, the children of a node together. Splits and leaves are nodes of HyperSplit, as are
   the leaves' rule numbers and the rules. Of a cut bits 2..0 of the first longword are CUT_NODE,
   5..3 the field, 12..8 the shift and 31..16 the mask; the second is the address of the first
   child. The child is number (field >> shift) & mask. Offsets are in longwords. */
#pragma once

#include "../hypersplit/layout.h"

#define TREE_BYTES 16u
#define TREE_NODE 0
#define TREE_PLACE 1
#define TREE_FIRST_RULE 2

#define CUT_NODE 6u /* in place of the field of a split */
#define CUT_OF(field, shift, mask) (CUT_NODE | (field) << 3 | (shift) << 8 | (mask) << 16)
#define CUT_FIELD(node) ((node) >> 3 & 7u)
#define CUT_SHIFT(node) ((node) >> 8 & 31u)
#define CUT_MASK(node) ((node) >> 16)
