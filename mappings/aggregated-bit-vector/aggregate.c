// Aggregated bit vector, per packet: the first groups of rules that may match.
#include "candidates.h"

static inline void aggregate(const struct aggregate_reads* reads, struct aggregate_writes* writes) {
  u32 number = 0;
  writes->groups = next_candidates(reads->vector, &number);
  writes->number = number;
}
