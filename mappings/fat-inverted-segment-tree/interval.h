// Fat inverted segment tree: the interval of a field that a key lies in.
#pragma once

#include "../bit-vector/layout.h"
#include "layout.h"

// Sets `entry`, the address of a trie's root in the memory SPACE, to what the key's leaf gives.
#define FIND_INTERVAL(SPACE, entry, key)                                              \
  do {                                                                                \
    u32 bits = (key);                                                                 \
    do {                                                                              \
      entry = *(SPACE u32*)((entry) + ENTRY_BYTES * (bits >> (32 - SEGMENT_STRIDE))); \
      bits <<= SEGMENT_STRIDE;                                                        \
    } while (!((entry) & ENTRY_LEAF));                                                \
    entry ^= ENTRY_LEAF;                                                              \
  } while (0)
