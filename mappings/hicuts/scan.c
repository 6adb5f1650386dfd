// HiCuts: the rules of a leaf one after another, to the first that matches.
#include "match_rule.h"
#include "microengine.h"
#include "placement.h"
#include "rule_layout.h"
#include "verdict.h"

static inline void scan(const struct scan_reads* reads, struct scan_writes* writes) {
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY;
  u32 at = reads->place;
  for (u32 left = LEAF_RULES(reads->cut); left; --left) {
    const u32 number = *(SPACE_LEAVES u32*)at;
    if (match_rule(number, reads->field, &writes->action)) {
      writes->rule = number;
      return;
    }
    at += LEAF_RULE_BYTES;
  }
}
