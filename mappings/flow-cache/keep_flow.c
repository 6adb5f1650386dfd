// Puts a flow and its verdict into the cache, after the algorithm's last task: first in its set.
// The others move on by one place, and the last one goes. Threads that do this at the same time may
// lose or repeat an entry; each that is there is complete.
#include "flow_set.h"

static inline void keep_flow(const struct keep_flow_reads* reads, struct keep_flow_writes* writes) {
  (void)writes;
  if (reads->flow & 1)
    return;
  flow_entry entry;
  entry[0] = reads->field[0];
  entry[1] = FLOW_FIELD(reads->field, 1);
  entry[2] = FLOW_FIELD(reads->field, 2);
  entry[3] = FLOW_FIELD(reads->field, 3);
  entry[4] = FLOW_FIELD(reads->field, 4);
  entry[FLOW_RULE] = reads->rule;
  entry[FLOW_STATE] =
      FLOW_HELD | flow_time() << FLOW_TIME_SHIFT | (reads->action & FLOW_ACTION_MASK);
  entry[FLOW_VERSION] = reads->flow;
  u32 at = flow_set(reads->field);
#if PARAM_FLOW_WAYS > 1
  for (u32 way = 1; way < PARAM_FLOW_WAYS; ++way) {
    const flow_entry moved = read_flow(at);
    write_flow(at, entry);
    entry = moved;
    at += FLOW_BYTES;
  }
#endif
  write_flow(at, entry);
}
