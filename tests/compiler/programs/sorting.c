#include "program.h"
static u32 data[24];
static u8 order[24];
static void swap(u32* x, u32* y) {
  u32 t = *x;
  *x = *y;
  *y = t;
}
int main(void) {
  u32 x = 99, sum = 0;
  for (int i = 0; i < 24; i++) {
    x = x * 1664525u + 1013904223u;
    data[i] = x >> 8;
    order[i] = 23 - i;
  }
  for (int i = 1; i < 24; i++)
    for (int j = i; j > 0 && data[j - 1] > data[j]; j--) {
      swap(&data[j - 1], &data[j]);
      u8 t = order[j];
      order[j] = order[j - 1];
      order[j - 1] = t;
    }
  for (int i = 0; i < 24; i++)
    sum = mix(mix(sum, data[i]), order[i]);
  u32 low = 0, high = 24, key = data[17];
  while (low < high) {
    u32 middle = (low + high) / 2;
    if (data[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return mix(sum, low);
}
