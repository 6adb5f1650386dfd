// Lab 3: how many of 256 numbers are below a bound.
#include "microengine.h"

#define NUMBERS 256
#define SEED 0x100  // byte address in SRAM; the number there is not 0
#define BOUND 0x40000000

static inline u32 next(u32 x) {  // xorshift
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

int main(void) {
  u32 x = sram_read((__sram u32*)SEED), below = 0;
  for (u32 i = 0; i < NUMBERS; i++) {
    x = next(x);
    if (x < BOUND)
      below++;
    else if (x == BOUND)
      console_hex(x);
  }
  return below;
}
