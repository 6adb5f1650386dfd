#include "program.h"
__sram u32 a[16];
__sdram u32 b[16];
__scratch u32 c[16];
__sdram u64 d[8];
__sdram u8 e[24];
__sram u8 f[24];
__sdram u16 g[9];
__sram u64 h[4];
__sram const u32 constants[] = {3, 1, 4, 1, 5, 9, 2, 6};
int main(void) {
  u32 sum = 0;
  for (u32 i = 0; i < 16; i++) {
    a[i] = i * i;
    b[i] = i + 1000;
    c[i] = ~i;
  }
  for (u32 i = 0; i < 8; i++)
    d[i] = (u64)a[i] << 32 | b[i] * constants[i];
  for (u32 i = 0; i < 24; i++) {
    e[i] = i * 11;
    f[i] = i * 13;
  }
  for (u32 i = 0; i < 9; i++)
    g[i] = i * 7777;
  for (u32 i = 0; i < 4; i++)
    h[i] = d[i] + d[7 - i];
  b[3] = 77;
  b[4] += b[3];
  e[5] ^= f[6];
  g[2] += e[7];
  d[1] -= 5;
  for (u32 i = 0; i < 16; i++) {
    sum = mix(sum, a[i]);
    sum = mix(sum, b[i]);
    sum = mix(sum, c[i]);
  }
  for (u32 i = 0; i < 8; i++)
    sum = mix64(sum, d[i]);
  for (u32 i = 0; i < 24; i++) {
    sum = mix(sum, e[i]);
    sum = mix(sum, f[i]);
  }
  for (u32 i = 0; i < 9; i++)
    sum = mix(sum, g[i]);
  for (u32 i = 0; i < 4; i++)
    sum = mix64(sum, h[i]);
  sum = mix(sum, b[0] + b[1] + b[2] + b[3]);
  sum = mix(sum, a[4] ^ a[5] ^ a[6] ^ a[7]);
  a[8] = sum;
  a[9] = sum + 1;
  a[10] = sum + 2;
  a[11] = sum + 3;
  b[6] = b[7] ^ sum;
  b[7] = sum;
  b[8] = sum + 9;
  b[9] = 4;
  for (u32 i = 4; i < 12; i++)
    sum = mix(sum, a[i] + b[i]);
  return sum;
}
