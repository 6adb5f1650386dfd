#include "program.h"
static u32 depth3(u32 x, u32* count) {
  ++*count;
  return x > 10 ? x - 10 : x + 3;
}
static u32 depth2(u32 x, u32* count) {
  u32 r = depth3(x, count);
  return r & 1 ? depth3(r * 3, count) : r;
}
static u32 depth1(u32 x, u32* count) {
  u32 r = 0;
  for (u32 i = 0; i < x; i++)
    r += depth2(i, count);
  return r;
}
static void out(u32 a, u32 b, u32 c, u32 d, u32 e, u32 f, u32 g, u32 h, u32 i, u32 j, u32* r) {
  *r = a - b + c - d + e - f + g - h + i * j;
}
struct big {
  u32 v[6];
};
static struct big make(u32 x) {
  struct big b;
  for (u32 i = 0; i < 6; i++)
    b.v[i] = x + i;
  return b;
}
static u32 total(struct big b) {
  u32 t = 0;
  for (u32 i = 0; i < 6; i++)
    t += b.v[i] << i;
  return t;
}
int main(void) {
  u32 count = 0, r = 0, sum = depth1(20, &count);
  out(1, 2, 3, 4, 5, 6, 7, 8, 9, count, &r);
  sum = mix(sum, r);
  sum = mix(sum, total(make(7)) + total(make(count)));
  return mix(sum, count);
}
