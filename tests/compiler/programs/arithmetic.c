#include "program.h"
static const u32 values[] = {
    0,   1,     2,     3,          7,          10,         31,         32,         33,        255,
    256, 65535, 65536, 0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
#define COUNT (sizeof values / sizeof values[0])
int main(void) {
  u32 sum = 1;
  for (u32 i = 0; i < COUNT; i++)
    for (u32 j = 0; j < COUNT; j++) {
      u32 a = values[i], b = values[j];
      sum = mix(sum, a + b);
      sum = mix(sum, a - b);
      sum = mix(sum, a * b);
      if (b) {
        sum = mix(sum, a / b);
        sum = mix(sum, a % b);
        if (!(a == 0x80000000 && b == 0xffffffff)) {
          sum = mix(sum, (u32)((s32)a / (s32)b));
          sum = mix(sum, (u32)((s32)a % (s32)b));
        }
      }
    }
  return sum;
}
