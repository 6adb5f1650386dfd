#include "program.h"
int main(void) {
  static const u32 values[] = {0, 1, 0x80000000, 0x7fffffff, 0xffffffff, 0x12345678, 0xdeadbeef};
  u32 sum = 0;
  for (u32 i = 0; i < 7; i++)
    for (u32 n = 0; n < 32; n++) {
      u32 v = values[i];
      sum = mix(sum, v << n);
      sum = mix(sum, v >> n);
      sum = mix(sum, (u32)((s32)v >> n));
      sum = mix(sum, v << n | v >> (31 - n));
      sum = mix(sum, (v << (n & 31)) | (v >> (-n & 31)));
      u64 w = (u64)v << 32 | ~v;
      sum = mix64(sum, w << n);
      sum = mix64(sum, w >> n);
      sum = mix64(sum, (u64)((s64)w >> n));
      sum = mix64(sum, w << (n + 32));
      sum = mix64(sum, w >> (n + 32));
      sum = mix64(sum, (u64)((s64)w >> (n + 32)));
    }
  u32 x = 0xcafebabe;
  sum = mix(sum, x >> 1 | x << 31);
  sum = mix(sum, (s32)x >> 1);
  sum = mix(sum, (s32)x >> 16);
  sum = mix(sum, (s32)x >> 31);
  sum = mix(sum, (s32)(x << 8) >> 20);
  u64 y = 0xcafebabe12345678ull;
  sum = mix64(sum, y >> 1);
  sum = mix64(sum, y << 1);
  sum = mix64(sum, y >> 33);
  sum = mix64(sum, (s64)y >> 20);
  sum = mix64(sum, (s64)y >> 40);
  sum = mix64(sum, y << 40);
  return sum;
}
