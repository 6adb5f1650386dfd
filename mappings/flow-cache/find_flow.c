// Looks for the packet's flow in the cache, before the algorithm's first task.
#include "flow_set.h"

// Before anything else of the lookup is read, so that what the cache holds of this version, and
// what this lookup puts there, is right for the rules that are in force now.
static inline u32 flow_version(void) {
#if defined(PARAM_UPDATES) && PARAM_UPDATES
  return *(volatile SPACE_FLOW_VERSION u32*)TABLE_FLOW_VERSION;
#else
  return 0;
#endif
}

static inline u32 is_flow(flow_entry entry, const u32* field, u32 version) {
  if (entry[0] != field[0])
    return 0;
#if DIMENSIONS > 1
  if (entry[1] != field[1])
    return 0;
#endif
#if DIMENSIONS > 2
  if (entry[2] != field[2])
    return 0;
#endif
#if DIMENSIONS > 3
  if (entry[3] != field[3])
    return 0;
#endif
#if DIMENSIONS > 4
  if (entry[4] != field[4])
    return 0;
#endif
#if PARAM_FLOW_TIMEOUT
  const u32 age = (flow_time() - (entry[FLOW_STATE] >> FLOW_TIME_SHIFT)) & FLOW_TIME_MASK;
  if (age > PARAM_FLOW_TIMEOUT)
    return 0;
#endif
  return entry[FLOW_STATE] & FLOW_HELD && entry[FLOW_VERSION] == version;
}

static inline void find_flow(const struct find_flow_reads* reads, struct find_flow_writes* writes) {
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY;
  const u32 version = flow_version();
  if (version & 1) {
    writes->flow = ~0u;
    return;
  }
  writes->flow = version;
  u32 at = flow_set(reads->field);
  for (u32 way = 0; way < PARAM_FLOW_WAYS; ++way) {
    const flow_entry entry = read_flow(at);
    if (is_flow(entry, reads->field, version)) {
      writes->rule = entry[FLOW_RULE];
      writes->action = entry[FLOW_STATE] & FLOW_ACTION_MASK;
      writes->flow = FLOW_HIT;
      return;
    }
    at += FLOW_BYTES;
  }
}
