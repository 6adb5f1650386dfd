// Lab 3: how many of 256 numbers are below a bound.
#include "microengine.h"

#define NUMBERS 256
#define SEED 0x100  // byte address in SRAM; the number there is not 0

static inline u32 next(u32 x) {  // xorshift
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

int main(void) {
  u32 x = sram_read((__sram u32*)SEED), below = 0;
  // Below 0x40000000 means that both upper bits are 0: a sum of bits needs no branch. Four numbers
  // a round leave a quarter of the loop's own branches.
  for (u32 i = 0; i < NUMBERS; i += 4) {
    u32 a = next(x), b = next(a), c = next(b);
    x = next(c);
    below += (~(a | a << 1) >> 31) + (~(b | b << 1) >> 31) + (~(c | c << 1) >> 31) +
             (~(x | x << 1) >> 31);
  }
  return below;
}
