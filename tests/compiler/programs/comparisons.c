#include "program.h"
static const u32 values[] = {0,          1,          2,          30,         31,
                             32,         255,        0x7ffffffe, 0x7fffffff, 0x80000000,
                             0x80000001, 0xfffffffe, 0xffffffff};
#define COUNT (sizeof values / sizeof values[0])
static u32 branches(u32 a, u32 b) {
  u32 r = 0;
  if (a < b)
    r |= 1;
  if (a <= b)
    r |= 2;
  if (a > b)
    r |= 4;
  if (a >= b)
    r |= 8;
  if (a == b)
    r |= 16;
  if (a != b)
    r |= 32;
  if ((s32)a < (s32)b)
    r |= 64;
  if ((s32)a <= (s32)b)
    r |= 128;
  if ((s32)a > (s32)b)
    r |= 256;
  if ((s32)a >= (s32)b)
    r |= 512;
  return r;
}
static u32 constants(u32 a) {
  u32 r = 0;
  if (a < 31)
    r |= 1;
  if (a > 31)
    r |= 2;
  if (a <= 255)
    r |= 4;
  if ((s32)a < 0)
    r |= 8;
  if ((s32)a >= 0)
    r |= 16;
  if ((s32)a > -1)
    r |= 32;
  if ((s32)a < 31)
    r |= 64;
  if ((s32)a > 30)
    r |= 128;
  if (a == 255)
    r |= 256;
  if ((a & 0xff) == 0xfe)
    r |= 512;
  if ((a >> 24) == 0x80)
    r |= 1024;
  if ((a >> 8 & 0xff) == 0xff)
    r |= 2048;
  if (a & 1)
    r |= 4096;
  if (!(a & 0x80))
    r |= 8192;
  if ((a & 0xff00) == 0xff00)
    r |= 16384;
  if (a >> 31)
    r |= 32768;
  if ((s32)a < -1)
    r |= 65536;
  if ((a & 3) == 3)
    r |= 1 << 17;
  return r;
}
int main(void) {
  u32 sum = 0;
  for (u32 i = 0; i < COUNT; i++) {
    sum = mix(sum, constants(values[i]));
    for (u32 j = 0; j < COUNT; j++) {
      u32 a = values[i], b = values[j];
      sum = mix(sum, branches(a, b));
      sum = mix(sum, (a < b) + 2 * (a <= b) + 4 * ((s32)a < (s32)b) + 8 * (a == b) +
                         16 * ((s32)a > (s32)b));
      sum = mix(sum, a < b ? a : b);
      sum = mix(sum, (s32)a > (s32)b ? a : b);
      sum = mix(sum, (s32)a < 0 ? -a : a);
    }
  }
  return sum;
}
