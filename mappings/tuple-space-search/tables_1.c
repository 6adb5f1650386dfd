// The first part of the tuples: begins without a match, and with the lookup's mark in the action.
#include "search.h"

static inline void tables_1(const struct tables_1_reads* reads, struct tables_1_writes* writes) {
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY | begin_lookup();
  search_group(0, reads->field, &writes->rule, &writes->action);
}
