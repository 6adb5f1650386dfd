// Lab 2: the sum of a table in SRAM, by the four threads of an engine.
#include "microengine.h"

#define ENTRIES 64
#define TABLE 0x100   // byte addresses in SRAM
#define RESULT 0x400  // where the sum goes

int main(void) {
  if (ctx() != 0)
    return 0;  // threads 1 to 3 have nothing to do yet
  __sram u32* table = (__sram u32*)TABLE;
  u32 sum = 0;
  for (u32 i = 0; i < ENTRIES; i++)
    sum += sram_read(table + i);
  sram_write((__sram u32*)RESULT, sum);
  return 0;
}
