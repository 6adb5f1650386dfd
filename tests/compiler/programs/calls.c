// Arguments that arrived together in a burst, one call after another: each is in its register when
// its call comes.
#include "program.h"

static __sram u32 left[8] = {150, 100, 150, 200, 7, 91, 1u << 30, 3};
static __sram u32 right[8] = {10, 13, 20, 30, 3, 7, 1u << 15, 2};
static __sram u32 quotients[8];

__attribute__((noinline)) static u32 steps(u32 from, u32 by) {
  u32 count = 0;
  for (; from > by; from -= from >> 1)
    ++count;
  return count * by + from;
}

__attribute__((noinline)) static u64 pair(u32 a, u32 b) {
  return (u64)a << 32 | steps(b, 5);
}

int main(void) {
  u32 sum = 0;
  quotients[0] = steps(left[0], right[0]);
  quotients[1] = steps(left[1], right[1]);
  quotients[2] = steps(left[2], right[2]);
  quotients[3] = steps(left[3], right[3]);
  const u32 a = left[4], b = left[5], c = left[6], d = left[7];
  quotients[4] = a / right[4];
  quotients[5] = b / right[5] + c % right[6];
  quotients[6] = c / right[6];
  quotients[7] = d / right[7];
  for (u32 i = 0; i < 8; ++i)
    sum = mix(sum, quotients[i]);
  left[0] = sum;
  const u32 e = left[0], f = left[1], g = left[2];
  sum = mix64(sum, pair(g, e));
  return mix64(sum, pair(e, f));
}
