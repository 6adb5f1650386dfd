// Recursive flow classification: which chunks, groups and pairs the fields have, as constants.
#pragma once

#include "layout.h"
#include "placement.h"

#define IS_LONG(d) ((d) < DIMENSIONS && FIELD_BITS(d) > CHUNK_BITS)
#define LONG_FIELDS_BEFORE(d)                                                    \
  (((d) > 0 && IS_LONG(0)) + ((d) > 1 && IS_LONG(1)) + ((d) > 2 && IS_LONG(2)) + \
   ((d) > 3 && IS_LONG(3)) + ((d) > 4 && IS_LONG(4)))
#define LONG_FIELDS LONG_FIELDS_BEFORE(5)
#define SHORT_FIELDS (DIMENSIONS - LONG_FIELDS)

// The group of field d: each long field has its own, short ones share those after them.
#define GROUP(d)               \
  (IS_LONG(d)                  \
       ? LONG_FIELDS_BEFORE(d) \
       : LONG_FIELDS + ((d) - LONG_FIELDS_BEFORE(d)) / SHORT_FIELDS_PER_GROUP(PARAM_PHASES))
#define GROUPS                                                               \
  (LONG_FIELDS + (SHORT_FIELDS + SHORT_FIELDS_PER_GROUP(PARAM_PHASES) - 1) / \
                     SHORT_FIELDS_PER_GROUP(PARAM_PHASES))
#define PAIR(group) ((group) / GROUPS_PER_PAIR(PARAM_PHASES))
#define PAIRS (PAIR(GROUPS - 1) + 1)

// Where the chunks of field d begin in table `chunks`, the upper chunk first.
#define VALUES(bits) (1u << ((bits) & 31))
#define FIELD_VALUES(d)                                                        \
  ((d) >= DIMENSIONS ? 0u                                                      \
   : IS_LONG(d)      ? VALUES(FIELD_BITS(d) - CHUNK_BITS) + VALUES(CHUNK_BITS) \
                     : VALUES(FIELD_BITS(d)))
#define VALUES_BEFORE(d)                                                 \
  (((d) > 0 ? FIELD_VALUES(0) : 0u) + ((d) > 1 ? FIELD_VALUES(1) : 0u) + \
   ((d) > 2 ? FIELD_VALUES(2) : 0u) + ((d) > 3 ? FIELD_VALUES(3) : 0u))
