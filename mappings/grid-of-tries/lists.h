// Lists of rules: the best rule of a list, compared one after another.
#pragma once

#include "../hicuts/rule_list.h"
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

// The field's bits from the most significant on; a field that the rules do not have has no bits.
#define LEFT_JUSTIFIED(d) (reads->field[d] << (32 - FIELD_BITS(d)))
#if DIMENSIONS > 1
#define SECOND_KEY LEFT_JUSTIFIED(1)
#else
#define SECOND_KEY 0
#endif

// The last number of a list ends it.
static inline void scan_list(u32 at, const u32* field, u32* rule, u32* action) {
  while (!ends_list(*(SPACE_LISTS u32*)at, field, rule, action))
    at += LIST_ENTRY_BYTES;
}
