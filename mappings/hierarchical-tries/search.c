// Hierarchical tries: the tries of all matching prefixes of field 0, the shortest prefix first.
#include "../grid-of-tries/list_trie.h"

static inline void search(const struct search_reads* reads, struct search_writes* writes) {
  u32 key = LEFT_JUSTIFIED(0);
  u32 at = TABLE_SOURCES;
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY;
  while (at) {
    const list_node node = *(const SPACE_SOURCES list_node*)at;
    search_trie(node[SOURCE_TRIE], SECOND_KEY, reads->field, &writes->rule, &writes->action);
    at = key & 0x80000000 ? node[1] : node[0];
    key <<= 1;
  }
}
