// As many levels more.
#include "walk.h"

static inline void walk_2(const struct walk_2_reads* reads, struct walk_2_writes* writes) {
  writes->cut = reads->cut;
  writes->place = reads->place;
  walk_levels(reads->field, &writes->cut, &writes->place);
}
