/* Tries (table `pset`) and actions are those of the bit vector (../bit-vector/layout.h). A leaf
   gives the address of a record in table `vectors`: with two levels a quadword whose first longword
   is the top: bit 31 - w says that aggregate longword w is not 0, the aggregate: bit 31 - i % 32 of
   its longword i / 32 says that group i of the vector is not 0, the vector: rule or position p is
   bit 31 - p % 32 of longword p / 32; 1 << shift longwords are a group, each filled up to whole
   quadwords. Table `order`: with rearranged rules, the rule index of each position. Offsets are in
   bytes. */
#pragma once

#include "../bit-vector/layout.h"

#define TOP_BYTES(levels) ((levels) == 2 ? 8u : 0u)
#define GROUPS_OF(rules, shift) ((VECTOR_LONGWORDS(rules) + (1u << (shift)) - 1u) >> (shift))
#define AGGREGATE_LONGWORDS(rules, shift) ((GROUPS_OF(rules, shift) + 31u) / 32u)
#define AGGREGATE_OFFSET(levels) TOP_BYTES(levels)
#define BITS_OFFSET(rules, shift, levels) \
  (TOP_BYTES(levels) + (AGGREGATE_LONGWORDS(rules, shift) + 1u) / 2u * 8u)
#define RECORD_BYTES(rules, shift, levels) \
  (BITS_OFFSET(rules, shift, levels) + (((GROUPS_OF(rules, shift) << (shift)) + 1u) / 2u * 8u))

#define POSITION_BYTES 4u
