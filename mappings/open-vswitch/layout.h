/* Open vSwitch's mega flows, beside the tables of tuple space search.
   Table `mega_masks`: records of MEGA_RECORD_BYTES in the order in which the masks came: a mask for
   each of five fields (0 where the rules have fewer), state, 0, version of the rules. The first
   record that has no mask, or one of another version, ends the list.
   Table `mega_flows`: records of MEGA_RECORD_BYTES, each at the hash of its fields: five fields
   under the mask, rule or NO_MATCH, state, version of the rules.
   State: bit 31 set where something is held; of a mega flow in 27..12 the index of its mask and in
   11..0 the rule's action.
   Table `mega_lock`: a longword, bit 0 set while a thread adds a mask. Table `flow_version`: as in
   ../flow-cache/layout.h. Offsets are in longwords. */
#pragma once

#include "../flow-cache/layout.h"
#include "../tuple-space-search/layout.h"

#define MEGA_RECORD_BYTES 32u
#define MEGA_RECORD_SHIFT 5
#define MEGA_FIELD(field) (field)
#define MEGA_RULE 5
#define MASK_STATE 5
#define MEGA_STATE 6
#define MEGA_VERSION 7
#define MEGA_HELD (1u << 31)
#define MEGA_MASK_SHIFT 12
#define MEGA_ACTION_MASK 0xfffu
#define MEGA_LOCK_BYTES 8u

/* Metadata `mega_flow`: 1 if a mega flow gave the verdict; else an even number is the version of
   the rules when the search began, and an odd one says that the verdict is not kept. */
#define MEGA_FLOW_HIT 1u
#define MEGA_FLOW_UNKEPT (~0u)
