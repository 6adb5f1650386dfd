// Finding the first bit set of a longword by halves, as tasks of bit vectors do.
#pragma once

#include "microengine.h"

// The number of the first bit set, from the most significant; `bits` is not 0.
static inline u32 first_bit_set(u32 bits) {
  u32 number = 0;
  if (!(bits & 0xffff0000))
    bits <<= 16, number += 16;
  if (!(bits & 0xff000000))
    bits <<= 8, number += 8;
  if (!(bits & 0xf0000000))
    bits <<= 4, number += 4;
  if (!(bits & 0xc0000000))
    bits <<= 2, number += 2;
  if (!(bits & 0x80000000))
    number += 1;
  return number;
}
