// Posts a key to a unit on the SRAM bus: a longword per field, in one burst.
#pragma once

#include "microengine.h"
#include "placement.h"

static inline void post_key(__sram void* mailbox, const u32* field) {
#if DIMENSIONS == 1
  sram_write(mailbox, field[0]);
#elif DIMENSIONS == 2
  sram_write2(mailbox, field[0], field[1]);
#elif DIMENSIONS == 3
  sram_write3(mailbox, field[0], field[1], field[2]);
#elif DIMENSIONS == 4
  sram_write4(mailbox, field[0], field[1], field[2], field[3]);
#elif DIMENSIONS == 5
  sram_write5(mailbox, field[0], field[1], field[2], field[3], field[4]);
#else
#error "a key has 1 to 5 fields"
#endif
}
