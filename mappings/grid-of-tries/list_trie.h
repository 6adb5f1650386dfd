// Tries with lists of rules: the best rule of the lists on the way of a key.
#pragma once

#include "lists.h"

typedef u32 list_node __attribute__((vector_size(16), aligned(8)));

static inline void search_trie(u32 at, u32 key, const u32* field, u32* rule, u32* action) {
  while (at) {
    const list_node node = *(const SPACE_TRIES list_node*)at;
    if (node[LIST_NODE_LIST])
      scan_list(node[LIST_NODE_LIST], field, rule, action);
    at = key & 0x80000000 ? node[1] : node[0];
    key <<= 1;
  }
}
