// The first levels of the tree, from the root.
#include "walk.h"

static inline void walk_1(const struct walk_1_reads* reads, struct walk_1_writes* writes) {
  read_node(TABLE_TREE, &writes->cut, &writes->place);
  walk_levels(reads->field, &writes->cut, &writes->place);
}
