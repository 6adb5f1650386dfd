#include "program.h"
static u32 classify(u32 v) {
  switch (v) {
    case 0: return 11;
    case 1: return 22;
    case 2:
    case 3: return 33;
    case 10: v++; /* falls through */
    case 11: return v * 3;
    case 200: return 7;
    case 100000: return 8;
    default: return v & 1 ? 99 : 98;
  }
}
int main(void) {
  u32 sum = 0;
  for (u32 i = 0; i < 13; i++)
    sum = mix(sum, classify(i));
  sum = mix(sum, classify(200));
  sum = mix(sum, classify(100000));
  for (int i = 0; i < 20; i++) {
    if (i % 3 == 0)
      continue;
    for (int j = i;; j--) {
      if (j < 0)
        break;
      if (j == 7)
        goto next;
      sum = mix(sum, i * j);
    }
  next:
    sum ^= i;
  }
  u32 n = 27, steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n >> 1;
    steps++;
  }
  do {
    sum = mix(sum, steps--);
  } while (steps > 100);
  return sum;
}
