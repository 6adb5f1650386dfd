// Match unit: posts the key in one burst and reads the answer, which waits in the unit until it is
// there.
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

static inline void lookup(const struct lookup_reads* reads, struct lookup_writes* writes) {
  const u32 mailbox = TABLE_MAILBOXES + MAILBOX_BYTES * thread_number();
  SPACE_MAILBOXES void* key = (SPACE_MAILBOXES void*)mailbox;
#if DIMENSIONS == 1
  sram_write(key, reads->field[0]);
#elif DIMENSIONS == 2
  sram_write2(key, reads->field[0], reads->field[1]);
#elif DIMENSIONS == 3
  sram_write3(key, reads->field[0], reads->field[1], reads->field[2]);
#elif DIMENSIONS == 4
  sram_write4(key, reads->field[0], reads->field[1], reads->field[2], reads->field[3]);
#else
  sram_write5(key, reads->field[0], reads->field[1], reads->field[2], reads->field[3],
              reads->field[4]);
#endif
  writes->rule = *(volatile SPACE_MAILBOXES u32*)(mailbox + MAILBOX_ANSWER);
}
