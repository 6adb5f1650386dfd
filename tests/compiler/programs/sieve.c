#include "program.h"
__sram u8 composite[200];
int main(void) {
  u32 count = 0, sum = 0;
  for (u32 i = 2; i < 200; i++) {
    if (composite[i])
      continue;
    count++;
    sum = mix(sum, i);
    for (u32 j = i * i; j < 200; j += i)
      composite[j] = 1;
  }
  return mix(sum, count);
}
