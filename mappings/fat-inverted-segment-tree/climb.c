// Fat inverted segment tree: from the segment to the root, in each node the interval of field 1 and
// its rules.
#include "../grid-of-tries/lists.h"
#include "interval.h"

// One reference: a quadword of SDRAM, two longwords of SRAM or scratch.
typedef u32 segment_node __attribute__((vector_size(8), aligned(8)));

static inline void climb(const struct climb_reads* reads, struct climb_writes* writes) {
  u32 at = reads->node;
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY;
  while (at) {
    const segment_node node = *(const SPACE_SEGMENTS segment_node*)at;
    u32 entry = node[SEGMENT_TRIE];
    if (entry) {
      FIND_INTERVAL(SPACE_SECONDS, entry, SECOND_KEY);
      if (entry)
        scan_list(entry, reads->field, &writes->rule, &writes->action);
    }
    at = node[SEGMENT_PARENT];
  }
}
