// The slow path: tuple space search, for a packet that no mega flow knew, and the mega flow that
// its verdict makes.
#include "examined_search.h"

// What stands for the way to another process and back, where the mapping says how long that takes.
static inline void call_up(void) {
#if PARAM_UPCALL_CYCLES
  const u32 begun = cycle_count();
  do
    ctx_swap_voluntary();
  while (cycle_count() - begun < PARAM_UPCALL_CYCLES);
#endif
}

#if PARAM_MEGA_FLOWS
static inline u32 is_same_mask(record a, record b) {
  return a[TUPLE_MASK(0)] == b[TUPLE_MASK(0)] && a[TUPLE_MASK(1)] == b[TUPLE_MASK(1)] &&
         a[TUPLE_MASK(2)] == b[TUPLE_MASK(2)] && a[TUPLE_MASK(3)] == b[TUPLE_MASK(3)] &&
         a[TUPLE_MASK(4)] == b[TUPLE_MASK(4)];
}

// From an address on: where the mask is, or the end of the list of this version.
static inline u32 find_mask(u32 at, record wanted, u32* found) {
  *found = 0;
  for (; at != MASKS_END; at += MEGA_RECORD_BYTES) {
    const record mask = read_mask(at);
    if (!is_mask(mask, wanted[MEGA_VERSION]))
      return at;
    if (is_same_mask(mask, wanted)) {
      *found = 1;
      return at;
    }
  }
  return at;
}

// One thread at a time adds a mask, and only while its version is in force, so that an index stands
// for one mask as long as a version lasts. A thread that finds the lock taken adds none.
static inline u32 add_mask(u32 from, record wanted, u32* found) {
  if (scratch_test_and_set((SPACE_MEGA_LOCK void*)TABLE_MEGA_LOCK, 1))
    return from;
  u32 at = from;
  if (rules_version() == wanted[MEGA_VERSION]) {
    at = find_mask(from, wanted, found);
    if (!*found && at != MASKS_END) {
      *(volatile SPACE_MEGA_MASKS record*)at = wanted;
      *found = 1;
    }
  }
  scratch_write((SPACE_MEGA_LOCK void*)TABLE_MEGA_LOCK, 0);
  return at;
}

static inline void keep_mega_flow(const u32* field, const examined_bits* examined, u32 rule,
                                  u32 action, u32 version) {
  const record mask = {examined->mask0,
                       examined->mask1,
                       examined->mask2,
                       examined->mask3,
                       examined->mask4,
                       MEGA_HELD,
                       0,
                       version};
  u32 found;
  u32 at = find_mask(TABLE_MEGA_MASKS, mask, &found);
  if (!found && at != MASKS_END)
    at = add_mask(at, mask, &found);
  if (!found)
    return;
  const record flow = {
      FIELD_OF(field, 0) & examined->mask0,          FIELD_OF(field, 1) & examined->mask1,
      FIELD_OF(field, 2) & examined->mask2,          FIELD_OF(field, 3) & examined->mask3,
      FIELD_OF(field, 4) & examined->mask4,          rule,
      state_under(at) | (action & MEGA_ACTION_MASK), version};
  *(volatile SPACE_MEGA_FLOWS record*)mega_flow_place(mask, at, field) = flow;
}
#else
static inline void keep_mega_flow(const u32* field, const examined_bits* examined, u32 rule,
                                  u32 action, u32 version) {
  (void)field, (void)examined, (void)rule, (void)action, (void)version;
}
#endif

static inline void search_tables(const struct search_tables_reads* reads,
                                 struct search_tables_writes* writes) {
  writes->rule = reads->rule;
  writes->action = reads->action;
  if (reads->mega_flow == MEGA_FLOW_HIT)
    return;
  call_up();
  examined_bits examined = {0, 0, 0, 0, 0};
  u32 rule = NO_MATCH;
  u32 action = ACTION_DENY | begin_lookup();
  for (u32 group = 0; group < GROUPS; ++group)
    examine_group(group, reads->field, &examined, &rule, &action);
  action = end_lookup(action);
  writes->rule = rule;
  writes->action = action;
  if (!(reads->mega_flow & 1))
    keep_mega_flow(reads->field, &examined, rule, action, reads->mega_flow);
}
