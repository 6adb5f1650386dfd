// Linear search: walks the list of rules to the first whose every range holds the packet's field.
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

#define LONGWORD(address) (*(SPACE_RULES u32*)(address))

#if PARAM_WAIT_APART
// The reference and its wait as two instructions; an error when the rules are not in SRAM.
static inline u32 read_apart(const SPACE_RULES u32* longword) {
  const u32 value = sram_read_start(longword);
  ctx_wait(sram);
  return value;
}
#define READ(address) read_apart((const SPACE_RULES u32*)(address))
#else
#define READ(address) (*(volatile SPACE_RULES u32*)(address))
#endif

// Code of 2003 copied structures longword by longword: a look at one end of a range may read as
// many as the copy has, one reference each.
#define COPY(n)                     \
  if (PARAM_ACCESS_LONGWORDS > (n)) \
  (void)READ(address + 4 * (n))
#define COPY_4(n) \
  COPY(n);        \
  COPY((n) + 1);  \
  COPY((n) + 2);  \
  COPY((n) + 3)

static inline u32 range_end(u32 address) {
  COPY_4(1);
  COPY_4(5);
  COPY_4(9);
  COPY_4(13);
  COPY_4(17);
  COPY_4(21);
  return LONGWORD(address);
}

#if PARAM_LIST_CELLS
#define FIRST_RECORD(position) LONGWORD((position) + CELL_RECORD)
#define NEXT_POSITION(position) LONGWORD((position) + CELL_NEXT)
#else
#define FIRST_RECORD(position) (position)
#define NEXT_POSITION(position) LONGWORD((position) + RECORD_NEXT(DIMENSIONS))
#endif

#if PARAM_WHOLE_RECORD
// Reads both ends before it compares; the caller asks for every dimension and leaves none out.
static inline u32 outside(u32 record, const u32 dimension, u32 value) {
  u32 low = range_end(record + RECORD_LOW(dimension));
  u32 high = range_end(record + RECORD_HIGH(dimension));
  return (value < low) | (value > high);
}
#define OR_ELSE |
#else
static inline u32 outside(u32 record, const u32 dimension, u32 value) {
  if (value < range_end(record + RECORD_LOW(dimension)))
    return 1;
  return value > range_end(record + RECORD_HIGH(dimension));
}
#define OR_ELSE ||
#endif

// Written out by dimension, so that the fields stay in registers without loop unrolling.
static inline u32 misses(u32 record, const struct search_reads* reads) {
  return outside(record, 0, reads->field[0])
#if DIMENSIONS > 1
      OR_ELSE outside(record, 1, reads->field[1])
#endif
#if DIMENSIONS > 2
          OR_ELSE outside(record, 2, reads->field[2])
#endif
#if DIMENSIONS > 3
              OR_ELSE outside(record, 3, reads->field[3])
#endif
#if DIMENSIONS > 4
                  OR_ELSE outside(record, 4, reads->field[4])
#endif
                      ;
}

static inline void search(const struct search_reads* reads, struct search_writes* writes) {
  u32 position = TABLE_RULES;
  writes->rule = NO_MATCH;
  writes->action = ACTION_DENY;
  do {
    u32 record = FIRST_RECORD(position);
    if (!misses(record, reads)) {
      writes->rule = LONGWORD(record + RECORD_RULE(DIMENSIONS));
      writes->action = LONGWORD(record + RECORD_ACTION(DIMENSIONS));
      return;
    }
    position = NEXT_POSITION(position);
  } while (position != LIST_END);
}
