#include "program.h"
static u32 run(u32 x) {
  u32 sum = 0;
  sum = mix(sum, x * 3);
  sum = mix(sum, x * 10);
  sum = mix(sum, x * 255);
  sum = mix(sum, x * 0x01010101u);
  sum = mix(sum, x * 0xdeadbeefu);
  sum = mix(sum, x / 3);
  sum = mix(sum, x / 10);
  sum = mix(sum, x % 7);
  sum = mix(sum, x / 16);
  sum = mix(sum, x % 64);
  sum = mix(sum, (s32)x / 3);
  sum = mix(sum, (s32)x / 8);
  sum = mix(sum, (s32)x % 8);
  sum = mix(sum, (s32)x % -10);
  sum = mix(sum, x + 31);
  sum = mix(sum, x + 32);
  sum = mix(sum, x - 31);
  sum = mix(sum, x - 100000);
  sum = mix(sum, 5 - x);
  sum = mix(sum, 100 - x);
  sum = mix(sum, x & 0xff);
  sum = mix(sum, x & 0xff00);
  sum = mix(sum, x & 0xffffff);
  sum = mix(sum, x & 0xfffffff8);
  sum = mix(sum, x & 0x0ff0);
  sum = mix(sum, x & ~0x80000000u);
  sum = mix(sum, x | 0x10);
  sum = mix(sum, x | 0xff000000);
  sum = mix(sum, x ^ 0xffff);
  sum = mix(sum, ~x);
  sum = mix(sum, x ^ 0x80000000u);
  sum = mix(sum, (x >> 8) & 0xff);
  sum = mix(sum, (x >> 16) & 0xff);
  sum = mix(sum, x >> 24);
  sum = mix(sum, (x << 8) & 0xffff00);
  sum = mix(sum, x >> 3 & 0xffff);
  return sum;
}
int main(void) {
  u32 sum = 0;
  static const u32 inputs[] = {0,          1,          5,          100,        0xff,      0x8000,
                               0xffff0000, 0x7fffffff, 0x80000000, 0xdeadbeef, 0xffffffff};
  for (u32 i = 0; i < sizeof inputs / sizeof inputs[0]; i++)
    sum = mix(sum, run(inputs[i]));
  return sum;
}
