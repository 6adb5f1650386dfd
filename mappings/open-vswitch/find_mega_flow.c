// Looks for the packet's mega flow under one mask after the other. Mega flows that overlap have the
// same verdict, so the first one found ends the search.
#include "mega_flow.h"

#define IS_UNDER(number)     \
  ((number) >= DIMENSIONS || \
   flow[MEGA_FIELD(number)] == (FIELD_OF(field, number) & mask[TUPLE_MASK(number)]))

static inline u32 is_mega_flow(record flow, record mask, u32 mask_at, const u32* field) {
  return (flow[MEGA_STATE] & ~MEGA_ACTION_MASK) == state_under(mask_at) &&
         flow[MEGA_VERSION] == mask[MEGA_VERSION] && IS_UNDER(0) && IS_UNDER(1) && IS_UNDER(2) &&
         IS_UNDER(3) && IS_UNDER(4);
}

static inline void find_mega_flow(const struct find_mega_flow_reads* reads,
                                  struct find_mega_flow_writes* writes) {
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY;
  writes->mega_flow = MEGA_FLOW_UNKEPT;
  if (!PARAM_MEGA_FLOWS)
    return;
  // Before anything else is read: what is found under this version is right for the rules that are
  // in force now.
  const u32 version = rules_version();
  if (version & 1)
    return;
  writes->mega_flow = version;
  for (u32 at = TABLE_MEGA_MASKS; at != MASKS_END; at += MEGA_RECORD_BYTES) {
    const record mask = read_mask(at);
    if (!is_mask(mask, version))
      return;
    const u32 place = mega_flow_place(mask, at, reads->field);
    const record flow = *(const volatile SPACE_MEGA_FLOWS record*)place;
    if (is_mega_flow(flow, mask, at, reads->field)) {
      writes->rule = flow[MEGA_RULE];
      writes->action = flow[MEGA_STATE] & MEGA_ACTION_MASK;
      writes->mega_flow = MEGA_FLOW_HIT;
      mega_flow_hit();
      return;
    }
  }
}
