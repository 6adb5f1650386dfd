// Mega flows: all packets that agree in the bits that a search looked at have its verdict.
#pragma once

#include "../tuple-space-search/search.h"
#include "layout.h"

#define FIELD_OF(field, number) ((number) < DIMENSIONS ? (field)[(number) % DIMENSIONS] : 0)

// The version of the rules that are in force now: what mega flows hold of another one is not used.
static inline u32 rules_version(void) {
#if PARAM_UPDATES && PARAM_REVALIDATED
  return *(const volatile SPACE_FLOW_VERSION u32*)TABLE_FLOW_VERSION;
#else
  return 0;
#endif
}

static inline record read_mask(u32 at) {
  return *(const volatile SPACE_MEGA_MASKS record*)at;
}

static inline u32 is_mask(record mask, u32 version) {
  return mask[MASK_STATE] & MEGA_HELD && mask[MEGA_VERSION] == version;
}

#define MASKS_END (TABLE_MEGA_MASKS + PARAM_MEGA_MASKS * MEGA_RECORD_BYTES)

// Where the packet's mega flow lies under the mask at an address, if it is held.
static inline u32 mega_flow_place(record mask, u32 mask_at, const u32* field) {
  const u32 hash = hash_of(mask, field) ^ (mask_at - TABLE_MEGA_MASKS);
  return TABLE_MEGA_FLOWS + ((hash & ((1u << PARAM_MEGA_FLOWS_SHIFT) - 1)) << MEGA_RECORD_SHIFT);
}

// What the state of a mega flow says besides its action.
static inline u32 state_under(u32 mask_at) {
  return MEGA_HELD | (mask_at - TABLE_MEGA_MASKS) >> MEGA_RECORD_SHIFT << MEGA_MASK_SHIFT;
}
