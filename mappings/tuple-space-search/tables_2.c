// The second part of the tuples: what the parts before found stands unless a better rule is found.
#include "search.h"

static inline void tables_2(const struct tables_2_reads* reads, struct tables_2_writes* writes) {
  writes->rule = reads->rule;
  writes->action = reads->action;
  search_group(1, reads->field, &writes->rule, &writes->action);
}
