// Lists of rules: the best rule of a list, compared one after another.
#pragma once

#include "../hicuts/match_rule.h"
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

// Ends where no better rule than the best so far can follow.
static inline void scan_list(u32 at, const u32* field, u32* rule, u32* action) {
  for (;;) {
    const u32 number = *(SPACE_LISTS u32*)at;
    if (number >= *rule)
      return;
    if (match_rule(number, field, action)) {
      *rule = number;
      return;
    }
    at += LIST_ENTRY_BYTES;
  }
}
