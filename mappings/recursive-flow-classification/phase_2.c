// Recursive flow classification, phase 2 of 4: from the pairs' entries to that of the match. With
// one pair its address is already that of the match.
#include "chunks.h"
#include "microengine.h"

static inline void phase_2(const struct phase_2_reads* reads, struct phase_2_writes* writes) {
  if (PAIRS == 1) {
    writes->match = reads->pair[0];
    return;
  }
  writes->match = *(SPACE_PAIRS u32*)reads->pair[0];
#if DIMENSIONS > 1
  if (PAIRS > 1)
    writes->match += *(SPACE_PAIRS u32*)reads->pair[1];
#endif
#if DIMENSIONS > 2
  if (PAIRS > 2)
    writes->match += *(SPACE_PAIRS u32*)reads->pair[2];
#endif
}
