#include "program.h"
struct __attribute__((packed)) header {
  u8 a;
  u32 b;
  u16 c;
  u64 d;
  u8 e;
};
static struct header headers[3];
int main(void) {
  u32 sum = 0;
  for (u32 i = 0; i < 3; i++) {
    headers[i].a = i;
    headers[i].b = 0x12345678 * i;
    headers[i].c = i * 1000;
    headers[i].d = 0x123456789abcull * (i + 1);
    headers[i].e = 0x55 + i;
  }
  headers[1].b += headers[2].c;
  headers[2].d ^= headers[0].d;
  headers[0] = headers[1];
  for (u32 i = 0; i < 3; i++) {
    sum = mix(sum, headers[i].a);
    sum = mix(sum, headers[i].b);
    sum = mix(sum, headers[i].c);
    sum = mix64(sum, headers[i].d);
    sum = mix(sum, headers[i].e);
  }
  return sum;
}
