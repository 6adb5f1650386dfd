// Parallel bit evaluation, per packet: the first rule of those that the parts have found. Nothing
// found, 0, is NO_MATCH after the subtraction, the greatest number.
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

static inline void choose(const struct choose_reads* reads, struct choose_writes* writes) {
  u32 rule = NO_MATCH;
#pragma clang loop unroll(full)
  for (u32 part = 0; part < DIMENSIONS; ++part) {
    if (reads->found[part] - 1 < rule)
      rule = reads->found[part] - 1;
  }
  writes->rule = rule;
}
