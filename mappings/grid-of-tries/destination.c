// The best rule of the lists on the way of field 1.
#include "list_trie.h"

static inline void destination(const struct destination_reads* reads,
                               struct destination_writes* writes) {
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY;
  search_trie(reads->trie, SECOND_KEY, reads->field, &writes->rule, &writes->action);
}
