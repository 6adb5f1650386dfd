// The bits of a packet's fields that a search looks at: the verdict depends on nothing else.
#pragma once

#include "mega_flow.h"

typedef struct {
  u32 mask0, mask1, mask2, mask3, mask4;
} examined_bits;

#if PARAM_MEGA_FLOWS
// A table's hash and the comparison of its key look at all bits of its tuple.
static inline void examine_tuple(examined_bits* examined, record tuple) {
  examined->mask0 |= tuple[TUPLE_MASK(0)];
  examined->mask1 |= tuple[TUPLE_MASK(1)];
  examined->mask2 |= tuple[TUPLE_MASK(2)];
  examined->mask3 |= tuple[TUPLE_MASK(3)];
  examined->mask4 |= tuple[TUPLE_MASK(4)];
}

// Whether a value is inside a range that is a prefix depends on the prefix's bits. Of another range
// all bits are taken, which may be more than a comparison would need.
static inline u32 range_bits(u32 low, u32 high) {
  const u32 differing = low ^ high;
  return differing & (differing + 1) || low & differing ? ~0u : ~differing;
}
#define EXAMINE_RANGE(examined, number, low, high) \
  ((examined)->mask##number |= range_bits(low, high) & ~0u >> (32 - FIELD_BITS(number)))
#else
static inline void examine_tuple(examined_bits* examined, record tuple) {
  (void)examined;
  (void)tuple;
}
#define EXAMINE_RANGE(examined, number, low, high) ((void)(examined))
#endif

// Is a field inside an entry's range? What is not asked is not looked at.
#define EXAMINE_INSIDE(examined, number, value, low, high) \
  (EXAMINE_RANGE(examined, number, low, high), is_inside(value, low, high))
