// Arguments that arrive together in a burst, one call after another: each is in its register when
// its call comes. Divisions are calls at -Os.
#include "program.h"

typedef s32 four __attribute__((vector_size(16)));

four left = {150, -100, 15000, 0x7fffff00};
four right = {10, 13, -20, 3};
four quotients, rests;

int main(void) {
  quotients = left / right;
  rests = right % (quotients ^ 5);
  u32 sum = 0;
  for (u32 i = 0; i < 4; ++i)
    sum = mix(mix(sum, (u32)quotients[i]), (u32)rests[i]);
  return (int)sum;
}
