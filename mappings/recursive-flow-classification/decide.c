// Recursive flow classification, last phase: the rule.
#include "microengine.h"
#include "placement.h"

static inline void decide(const struct decide_reads* reads, struct decide_writes* writes) {
  writes->rule = *(SPACE_MATCHES u32*)reads->match;
}
