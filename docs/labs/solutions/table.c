// Lab 2: the sum of a table in SRAM, by the four threads of an engine.
#include "microengine.h"

#define ENTRIES 64
#define TABLE 0x100   // byte addresses in SRAM
#define RESULT 0x400  // where the sum goes
#define THREADS 4

int main(void) {
  // While one thread waits for its longword, the others issue theirs.
  __sram u32* table = (__sram u32*)TABLE;
  u32 sum = 0;
  for (u32 i = ctx(); i < ENTRIES; i += THREADS)
    sum += sram_read(table + i);
  // Registers that the threads share: 2 the sum, 3 how many are done. A thread is not preempted
  // between two swaps.
  shared_write(2, shared_read(2) + sum);
  shared_write(3, shared_read(3) + 1);
  if (shared_read(3) == THREADS)
    sram_write((__sram u32*)RESULT, shared_read(2));
  return 0;
}
