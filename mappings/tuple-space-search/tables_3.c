// The third part of the tuples: what the parts before found stands unless a better rule is found.
#include "search.h"

static inline void tables_3(const struct tables_3_reads* reads, struct tables_3_writes* writes) {
  writes->rule = reads->rule;
  writes->action = reads->action;
  search_group(2, reads->field, &writes->rule, &writes->action);
}
