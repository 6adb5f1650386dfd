// Bit vector, per dimension: walks the dimension's trie to the interval that holds the field.
#include "layout.h"
#include "microengine.h"
#include "placement.h"

#if PARAM_NODE_QUADWORDS == 0
#define ENTRY_OF_NODE(node, key) \
  (*(SPACE_PSET u32*)((node) + ENTRY_BYTES * ((key) >> (32 - PARAM_STRIDE))))
#elif PARAM_NODE_QUADWORDS == 1
#define READ_NODE(node) \
  sdram_read1((const SPACE_PSET void*)(node))  // an error when the P-sets are in SRAM
typedef u32x2 trie_node;
#elif PARAM_NODE_QUADWORDS == 2
#define READ_NODE(node) \
  sdram_read2((const SPACE_PSET void*)(node))  // an error when the P-sets are in SRAM
typedef u32x4 trie_node;
#else
#define READ_NODE(node) \
  sdram_read4((const SPACE_PSET void*)(node))  // an error when the P-sets are in SRAM
typedef u32x8 trie_node;
#endif

#if PARAM_NODE_QUADWORDS
static inline u32 ENTRY_OF_NODE(u32 node, u32 key) {
  const trie_node whole = READ_NODE(node);
  if (key & 0x80000000)
    return whole[1];
  return whole[0];
}
#endif

static inline void lookup(const u32 dimension, const struct lookup_reads* reads,
                          struct lookup_writes* writes) {
  u32 key = reads->field << (32 - FIELD_BITS(dimension));
  u32 entry = TABLE_PSET + dimension * NODE_BYTES(PARAM_STRIDE, PARAM_NODE_QUADWORDS);
  do {
    entry = ENTRY_OF_NODE(entry, key);
    key <<= PARAM_STRIDE;
  } while (!(entry & ENTRY_LEAF));
  writes->vector = entry ^ ENTRY_LEAF;
}
