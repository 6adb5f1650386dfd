#include "program.h"
struct point {
  s32 x, y;
};
struct shape {
  u8 kind;
  u16 flags;
  struct point corner[4];
  u32 area;
};
static struct point add(struct point a, struct point b) {
  struct point r = {a.x + b.x, a.y + b.y};
  return r;
}
static void grow(struct shape* s, s32 by) {
  for (int i = 0; i < 4; i++) {
    s->corner[i].x += by * (i & 1 ? 1 : -1);
    s->corner[i].y += by * (i & 2 ? 1 : -1);
  }
  s->area += by;
  s->flags ^= by;
}
struct bits {
  u32 a : 3;
  u32 b : 7;
  s32 c : 5;
  u32 d : 17;
};
int main(void) {
  struct shape shapes[3];
  u32 sum = 0;
  for (int i = 0; i < 3; i++) {
    shapes[i].kind = i * 100;
    shapes[i].flags = i * 30000;
    shapes[i].area = i;
    for (int k = 0; k < 4; k++) {
      struct point p = {i, k};
      shapes[i].corner[k] = add(p, p);
    }
  }
  struct shape copy = shapes[1];
  grow(&copy, 5);
  grow(&shapes[2], -9);
  shapes[0] = copy;
  struct bits b = {0};
  for (int i = 0; i < 20; i++) {
    b.a += i;
    b.b ^= i * 3;
    b.c -= i;
    b.d = b.d * 5 + i;
    sum = mix(sum, b.a);
    sum = mix(sum, b.b);
    sum = mix(sum, b.c);
    sum = mix(sum, b.d);
  }
  for (int i = 0; i < 3; i++) {
    sum = mix(sum, shapes[i].kind);
    sum = mix(sum, shapes[i].flags);
    sum = mix(sum, shapes[i].area);
    for (int k = 0; k < 4; k++) {
      sum = mix(sum, shapes[i].corner[k].x);
      sum = mix(sum, shapes[i].corner[k].y);
    }
  }
  return sum;
}
