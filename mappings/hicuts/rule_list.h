// A list of rules, compared one after another.
#pragma once

#include "match_rule.h"
#include "microengine.h"

// Does the list end with this number: does the rule match, and is then the best one, or can no
// better one than the best so far follow?
static inline u32 ends_list(u32 number, const u32* field, u32* rule, u32* action) {
  if (number >= *rule)
    return 1;
  if (!match_rule(number, field, action))
    return 0;
  *rule = number;
  return 1;
}
