// The fourth part of the tuples: what the parts before found stands unless a better rule is found.
#include "search.h"

static inline void tables_4(const struct tables_4_reads* reads, struct tables_4_writes* writes) {
  writes->rule = reads->rule;
  writes->action = reads->action;
  search_group(3, reads->field, &writes->rule, &writes->action);
  writes->action = end_lookup(writes->action);
}
