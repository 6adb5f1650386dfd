// The trie of field 1 that belongs to the longest matching prefix of field 0.
#include "list_trie.h"

static inline void source(const struct source_reads* reads, struct source_writes* writes) {
  u32 key = LEFT_JUSTIFIED(0);
  u32 at = TABLE_SOURCES;
  writes->trie = 0;
  while (at) {
    const list_node node = *(const SPACE_SOURCES list_node*)at;
    if (node[SOURCE_TRIE])
      writes->trie = node[SOURCE_TRIE];
    at = key & 0x80000000 ? node[1] : node[0];
    key <<= 1;
  }
}
