// Bit vector, per dimension: walks the dimension's trie to the interval that holds the field.
#include "microengine.h"
#include "placement.h"
#include "layout.h"

static inline void lookup(const u32 dimension, const struct lookup_reads *reads, struct lookup_writes *writes) {
  u32 key = reads->field << (32 - FIELD_BITS(dimension));
  u32 entry = TABLE_PSET + dimension * NODE_BYTES(PARAM_STRIDE);
  do {
    entry = *(SPACE_PSET u32 *)(entry + ENTRY_BYTES * (key >> (32 - PARAM_STRIDE)));
    key <<= PARAM_STRIDE;
  } while (!(entry & ENTRY_LEAF));
  writes->vector = entry ^ ENTRY_LEAF;
}
