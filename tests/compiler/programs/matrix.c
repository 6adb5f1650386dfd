#include "program.h"
static s32 a[4][5], b[5][3], c[4][3];
int main(void) {
  u32 sum = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++)
      a[i][j] = i * 10 - j * j;
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 3; j++)
      b[i][j] = (i ^ j) - 3;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) {
      c[i][j] = 0;
      for (int k = 0; k < 5; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++)
      sum = mix(sum, c[i][j]);
  return sum;
}
