// Compares the rules one after another, to the first whose every range holds the packet's field.
#include "microengine.h"
#include "placement.h"
#include "verdict.h"
#include "layout.h"

#define LONGWORD(address) (*(SPACE_RULES u32 *)(address))

// Unrolled: fields live in registers, which have no index.
static inline u32 matches(u32 record, const struct search_reads *reads) {
#pragma clang loop unroll(full)
  for (u32 d = 0; d < DIMENSIONS; ++d) {
    if (reads->field[d] < LONGWORD(record + RECORD_LOW(d))) return 0;
    if (reads->field[d] > LONGWORD(record + RECORD_HIGH(d))) return 0;
  }
  return 1;
}

static inline void search(const struct search_reads *reads, struct search_writes *writes) {
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY;
  u32 record = TABLE_RULES;
  for (u32 rule = 0; rule < RULES; ++rule) {
    if (matches(record, reads)) {
      writes->rule = rule;
      writes->action = LONGWORD(record + RECORD_ACTION(DIMENSIONS));
      return;
    }
    record += RECORD_BYTES(DIMENSIONS);
  }
}
