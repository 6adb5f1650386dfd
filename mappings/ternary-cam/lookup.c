// Ternary CAM: the key in one burst, the answer in one longword.
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "verdict.h"

static inline void lookup(const struct lookup_reads* reads, struct lookup_writes* writes) {
  const u32 slot = TABLE_TCAM + SLOT_BYTES * thread_number();
  SPACE_TCAM void* key = (SPACE_TCAM void*)slot;
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
  writes->rule = *(volatile SPACE_TCAM u32*)(slot + SLOT_ANSWER);
}
