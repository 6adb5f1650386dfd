#include "program.h"
#define copy __builtin_memcpy
#define move __builtin_memmove
#define fill __builtin_memset
static u8 bytes[64];
static u32 words[16];
int main(void) {
  u32 sum = 0;
  for (u32 i = 0; i < 64; i++)
    bytes[i] = i;
  fill(bytes + 3, 0xa5, 10);
  move(bytes + 20, bytes + 16, 9);
  copy(bytes + 50, bytes + 1, 7);
  for (u32 i = 0; i < 64; i++)
    sum = mix(sum, bytes[i]);
  for (u32 i = 0; i < 16; i++)
    words[i] = i * 0x01010101;
  u32 local[16];
  copy(local, words, sizeof local);
  fill(words, 0, 20);
  move(local + 1, local, 40);
  for (u32 i = 0; i < 16; i++)
    sum = mix(mix(sum, words[i]), local[i]);
  return sum;
}
