// Lab 2: the sum of a table in SRAM, by the four threads of an engine.
#include "microengine.h"

#define ENTRIES 64
#ifndef FIRST  // the checker tries another one, too
#define FIRST 3
#endif

static __sram u32 table[ENTRIES] = {FIRST, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3,
                                    2,     3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5,
                                    0,     2, 8, 8, 4, 1, 9, 7, 1, 6, 9, 3, 9, 9, 3, 7,
                                    5,     1, 0, 5, 8, 2, 0, 9, 7, 4, 9, 4, 4, 5, 9, 2};

int main(void) {
  if (ctx() != 0)
    return 0;  // threads 1 to 3 have nothing to do yet
  u32 sum = 0;
  for (u32 i = 0; i < ENTRIES; i++)
    sum += sram_read(table + i);
  console_hex(sum);
  return 0;
}
