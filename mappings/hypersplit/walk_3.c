// All levels that are left, to the leaf.
#include "walk.h"

static inline void walk_3(const struct walk_3_reads* reads, struct walk_3_writes* writes) {
  writes->cut = reads->cut;
  writes->place = reads->place;
  walk_to_leaf(reads->field, &writes->cut, &writes->place);
}
