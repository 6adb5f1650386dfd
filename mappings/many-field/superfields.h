// Which fields are searched together, as constants.
#pragma once

#include "layout.h"
#include "microengine.h"
#include "placement.h"

#define ALL_FIELDS ((1u << DIMENSIONS) - 1)
// A superfield's fields; 0 when the rules have fewer than two of them.
#define SEVERAL(fields) (((fields) & ((fields) - 1)) ? (fields) : 0u)
#define FIELDS_OF(superfield) SEVERAL(PARAM_SUPERFIELD_##superfield& ALL_FIELDS)
#define IF_HAS(superfield, d) (FIELDS_OF(superfield) >> (d) & 1) ? FIELDS_OF(superfield)
// The fields that are searched together with field d; 0: it is searched alone.
#define SUPERFIELD_OF(d)                                                              \
  (IF_HAS(1, d) : IF_HAS(2, d) : IF_HAS(3, d) : IF_HAS(4, d) : IF_HAS(5, d) : IF_HAS( \
      6, d) : IF_HAS(7, d) : 0u)
#define IS_SEARCHED(d) (!(SUPERFIELD_OF(d) & ((1u << (d)) - 1)))
#define IS_HASHED(d) (!SUPERFIELD_OF(d) && FIELD_MATCH(d) == MATCH_EXACT)

// `take` for each number that a field may have.
#define EACH_FIELD(take)                                                                        \
  take(0) take(1) take(2) take(3) take(4) take(5) take(6) take(7) take(8) take(9) take(10)      \
      take(11) take(12) take(13) take(14) take(15) take(16) take(17) take(18) take(19) take(20) \
          take(21) take(22) take(23)

#define COUNT_SEARCH(d) +((d) < DIMENSIONS && IS_SEARCHED(d))
#define SEARCHES (0 EACH_FIELD(COUNT_SEARCH))
