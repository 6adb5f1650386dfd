// Recursive flow classification, phase 0: from the values of all chunks to the groups' entries.
#include "chunks.h"
#include "microengine.h"

#define ENTRY(first, value) \
  (*(SPACE_CHUNKS u32*)(TABLE_CHUNKS + ENTRY_BYTES * (first) + ENTRY_BYTES * (value)))

// Addresses are sums of entries (layout.h).
#define ADD_FIELD(d)                                                                              \
  do {                                                                                            \
    if (IS_LONG(d)) {                                                                             \
      writes->group[GROUP(d)] += ENTRY(VALUES_BEFORE(d), reads->field[d] >> CHUNK_BITS);          \
      writes->group[GROUP(d)] +=                                                                  \
          ENTRY(VALUES_BEFORE(d) + VALUES(FIELD_BITS(d) - CHUNK_BITS), reads->field[d] & 0xffff); \
    } else {                                                                                      \
      writes->group[GROUP(d)] += ENTRY(VALUES_BEFORE(d), reads->field[d]);                        \
    }                                                                                             \
  } while (0)

static inline void phase_0(const struct phase_0_reads* reads, struct phase_0_writes* writes) {
  for (u32 i = 0; i < DIMENSIONS; ++i)
    writes->group[i] = 0;
  ADD_FIELD(0);
#if DIMENSIONS > 1
  ADD_FIELD(1);
#endif
#if DIMENSIONS > 2
  ADD_FIELD(2);
#endif
#if DIMENSIONS > 3
  ADD_FIELD(3);
#endif
#if DIMENSIONS > 4
  ADD_FIELD(4);
#endif
}
