#include "program.h"
static const u64 values[] = {0,
                             1,
                             3,
                             10,
                             0xffffffffull,
                             0x100000000ull,
                             0x123456789abcdefull,
                             0x7fffffffffffffffull,
                             0x8000000000000000ull,
                             0xfffffffffffffff1ull};
#define COUNT (sizeof values / sizeof values[0])
int main(void) {
  u32 sum = 1;
  for (u32 i = 0; i < COUNT; i++)
    for (u32 j = 0; j < COUNT; j++) {
      u64 a = values[i], b = values[j];
      sum = mix64(sum, a + b);
      sum = mix64(sum, a - b);
      sum = mix64(sum, a * b);
      sum = mix64(sum, (a & b) ^ (a | ~b));
      sum = mix64(sum, -a);
      if (b) {
        sum = mix64(sum, a / b);
        sum = mix64(sum, a % b);
        if (!(a == 0x8000000000000000ull && b == 0xffffffffffffffffull)) {
          sum = mix64(sum, (u64)((s64)a / (s64)b));
          sum = mix64(sum, (u64)((s64)a % (s64)b));
        }
      }
      sum = mix(sum, (a < b) | ((s64)a < (s64)b) << 1 | (a <= b) << 2 | (a == b) << 3 |
                         ((s64)a >= (s64)b) << 4 | (a != b) << 5);
    }
  return sum;
}
