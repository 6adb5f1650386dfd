#include "program.h"
static u8 table[37];
static u16 halves[11];
static s8 small[9];
static s16 medium[5];
static u32 length(const char* s) {
  u32 n = 0;
  while (s[n])
    n++;
  return n;
}
int main(void) {
  u32 sum = 0;
  for (int i = 0; i < 37; i++)
    table[i] = i * 7 + 3;
  for (int i = 0; i < 11; i++)
    halves[i] = i * 9999;
  for (int i = 0; i < 9; i++)
    small[i] = i * 31 - 100;
  for (int i = 0; i < 5; i++)
    medium[i] = i * 13000 - 30000;
  for (int i = 36; i > 0; i--) {
    table[i] += table[i - 1];
    table[i - 1] ^= halves[i % 11];
  }
  for (int i = 0; i < 37; i++)
    sum = mix(sum, table[i]);
  for (int i = 0; i < 11; i++)
    sum = mix(sum, halves[i]);
  for (int i = 0; i < 9; i++)
    sum = mix(sum, small[i] * 3);
  for (int i = 0; i < 5; i++)
    sum = mix(sum, medium[i] >> 3);
  char text[] = "network processor";
  for (u32 i = 0; i < length(text); i++) {
    sum = mix(sum, text[i]);
    text[i] -= 32;
  }
  for (u32 i = 0; text[i]; i++)
    sum = mix(sum, text[i]);
  return sum;
}
