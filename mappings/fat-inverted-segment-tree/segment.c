// Fat inverted segment tree: the segment of field 0.
#include "../grid-of-tries/lists.h"
#include "interval.h"

static inline void segment(const struct segment_reads* reads, struct segment_writes* writes) {
  u32 entry = TABLE_FIRSTS;
  FIND_INTERVAL(SPACE_FIRSTS, entry, LEFT_JUSTIFIED(0));
  writes->node = entry;
}
