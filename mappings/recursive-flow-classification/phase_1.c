// Recursive flow classification, phase 1: from the groups' entries to those of the pairs.
#include "chunks.h"
#include "microengine.h"

#define ADD_GROUP(g)                                                \
  do {                                                              \
    if ((g) < GROUPS)                                               \
      writes->pair[PAIR(g)] += *(SPACE_GROUPS u32*)reads->group[g]; \
  } while (0)

static inline void phase_1(const struct phase_1_reads* reads, struct phase_1_writes* writes) {
  for (u32 i = 0; i < DIMENSIONS; ++i)
    writes->pair[i] = 0;
  ADD_GROUP(0);
#if DIMENSIONS > 1
  ADD_GROUP(1);
#endif
#if DIMENSIONS > 2
  ADD_GROUP(2);
#endif
#if DIMENSIONS > 3
  ADD_GROUP(3);
#endif
#if DIMENSIONS > 4
  ADD_GROUP(4);
#endif
}
