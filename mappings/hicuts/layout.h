/* Table `tree`: entries of two longwords. The first is the root's; the entries of a node's children
   stand together, one for each part of its cut. cut    bits 7..0: the field that is cut, or
   CUT_LEAF; 15..8: shift; 31..16: mask. The child is number (field >> shift) & mask. Of a leaf
   bits 31..16 are its number of rules. place  address of the first child's entry; of a leaf that of
   its first rule number, 0 when it has none. Leaves and rules: rule_layout.h. Offsets in entries
   are in longwords. */
#pragma once

#include "rule_layout.h"

#define ENTRY_BYTES 8u
#define ENTRY_CUT 0
#define ENTRY_PLACE 1

#define CUT(field, shift, mask) ((field) | (shift) << 8 | (mask) << 16)
#define CUT_FIELD(cut) ((cut) & 0xffu)
#define CUT_SHIFT(cut) ((cut) >> 8 & 0xffu)
#define CUT_MASK(cut) ((cut) >> 16)
#define CUT_LEAF 0xffu
