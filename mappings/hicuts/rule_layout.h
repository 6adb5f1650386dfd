/* Leaves and rules. Table `leaves`: rule numbers, a longword each, ascending in every leaf. Table
   `rules`: one record a rule, of RULE_BYTES: low and high of each of five fields, action. Offsets
   in records are in longwords. */
#pragma once

/* of a leaf's first longword bits 31..16 */
#define LEAF_RULES(cut) ((cut) >> 16)
#define LEAF_RULE_BYTES 4u

#define RULE_SHIFT 6
#define RULE_BYTES 64u
#define RULE_LOW(field) (2 * (field))
#define RULE_HIGH(field) (2 * (field) + 1)
#define RULE_ACTION 10
#define BURST_LONGWORDS 8
#define BURST_BYTES 32u
