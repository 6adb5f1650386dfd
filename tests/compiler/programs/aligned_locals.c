// Locals of more than a longword's alignment, in a function below which others are called: the
// optimiser computes addresses within them by `or`.
#include "program.h"
typedef u32 four __attribute__((vector_size(16)));
volatile u32 zero;

__attribute__((noinline)) static u32 below(u32 i) {
  volatile u32 local[1];
  local[0] = i;
  return local[i] + local[i & 0];
}
__attribute__((noinline)) static void set(volatile u32* at, u32 value) {
  *at = value;
}
__attribute__((noinline)) static u32 between(u32 n) {
  four many[4];
  u32 start = below(n);
  for (u32 i = 0; i < 4; i++)
    for (u32 j = 0; j < 4; j++)
      ((volatile u32*)&many[i + start])[j] = 16 * i + j;
  for (u32 j = 1; j < 4; j++)
    set((u32*)&many[start + j] + j, 5 * j);
  u32 sum = 0;
  for (u32 i = 0; i < 4; i++)
    for (u32 j = 0; j < 4; j++)
      sum = mix(sum, ((volatile u32*)&many[i])[j]);
  return sum;
}
int main(void) {
  u32 lone[3] __attribute__((aligned(32)));
  u32 start = zero;
  for (u32 i = 0; i < 3; i++)
    ((volatile u32*)lone)[i] = between(zero) + i;
  set((u32*)((u8*)&lone[start] + 4), 7);
  return (int)mix(mix(lone[start], lone[start + 1]),
                  (lone[start + 2] << 8) + ((unsigned long)lone & 31));
}
