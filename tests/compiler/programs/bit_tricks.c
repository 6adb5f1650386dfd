#include "program.h"
int main(void) {
  static const u32 values[] = {1, 2, 0x80, 0xff00, 0x80000000, 0x12345678, 0xffffffff, 0xf0f0f0f0};
  u32 sum = 0;
  for (u32 i = 0; i < 8; i++) {
    u32 v = values[i];
    sum = mix(sum, __builtin_popcount(v));
    sum = mix(sum, __builtin_clz(v));
    sum = mix(sum, __builtin_ctz(v));
    sum = mix(sum, __builtin_bswap32(v));
    sum = mix64(sum, __builtin_bswap64((u64)v << 20));
    sum = mix(sum, __builtin_parity(v));
    sum = mix(sum, __builtin_bswap16((u16)v));
    u32 r = 0;
    for (u32 m = v, n = 0; n < 32; n++, m >>= 1)
      r = r << 1 | (m & 1);
    sum = mix(sum, r);
    sum = mix(sum, v & -v);
    sum = mix(sum, v & (v - 1));
    sum = mix(sum, (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4);
    unsigned product;
    sum = mix(sum, __builtin_mul_overflow(v, 3u, &product));
    sum = mix(sum, product);
    int total;
    sum = mix(sum, __builtin_add_overflow((int)v, 0x70000000, &total));
    sum = mix(sum, total);
  }
  return sum;
}
