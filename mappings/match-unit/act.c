// Match unit: fetches the action of the rule that matched.
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

static inline void act(const struct act_reads* reads, struct act_writes* writes) {
  writes->action = ACTION_DENY;
  if (reads->rule != NO_MATCH)
    writes->action = *(SPACE_ACTIONS u32*)(TABLE_ACTIONS + ACTION_BYTES * reads->rule);
}
