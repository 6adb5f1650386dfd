// A packet's field by a number that is known only at run time.
#pragma once

#include "microengine.h"
#include "placement.h"

// Registers have no index: a chain of tests finds the field.
static inline u32 field_of(u32 number, const u32* field) {
#if DIMENSIONS > 1
  if (number == 1)
    return field[1];
#endif
#if DIMENSIONS > 2
  if (number == 2)
    return field[2];
#endif
#if DIMENSIONS > 3
  if (number == 3)
    return field[3];
#endif
#if DIMENSIONS > 4
  if (number == 4)
    return field[4];
#endif
  (void)number;
  return field[0];
}
