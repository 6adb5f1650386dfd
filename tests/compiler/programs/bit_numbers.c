// Numbers of the lowest and highest bit set: by builtins, of 32 and 64 bits, also of 0 where that
// is defined.
#include "program.h"
static u32 lowest(u32 value) {
  return value ? __builtin_ctz(value) : 32;
}
static u32 highest(u32 value) {
  return value ? 31 - __builtin_clz(value) : 99;
}
int main(void) {
  volatile u32 first = 0;  // nothing is known when compiling
  u32 sum = first;
  for (u32 bit = first; bit < 32; bit++) {
    const u32 one = 1u << bit, above = 0xffffffffu << bit, mixed = one | sum << bit,
              below = one | (one - 1);
    sum = mix(sum, __builtin_ctz(one) | __builtin_clz(one) << 8);
    sum = mix(sum, __builtin_ctz(above) | __builtin_clz(below) << 8);
    sum = mix(sum, __builtin_ctz(mixed) | __builtin_clz(mixed) << 8);
    sum = mix(sum, lowest(above << 1) | highest(below >> 1) << 8);
    sum = mix(sum, __builtin_ffs(one & sum) | __builtin_ffs(above) << 8);
    sum =
        mix(sum, __builtin_ctzll((u64)mixed << (bit >> 1)) | __builtin_clzll((u64)one << bit) << 8);
  }
  return mix(sum, lowest(0) + highest(0));
}
