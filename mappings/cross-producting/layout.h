/* Cross-producting. Tries (table `pset`) and actions are those of the bit vector; rules are those
   of HiCuts. Intervals of a dimension that the same rules cover are one class. A trie's leaf gives
   an even number that stands for its class; 0 stands for an interval that no rule covers. Without a
   cache table `products` has a longword for each combination of classes: the index of the first
   matching rule, or NO_MATCH. The leaves give the class's share of the combination's offset, and
   CLASS_MARK. With a cache the leaves give 2 x the class, from 1. Table `products` has entries of
   four longwords: three of tag, with the classes of two dimensions each, and the rule. An entry
   that was never written has the tag 0. The entry of a combination is chosen by a hash of its tag.
 */
#pragma once

#include "../bit-vector/layout.h"
#include "../include/one_at_a_time.h"

#define PRODUCT_BYTES 4u
#define CLASS_MARK 2u

#define CACHED_BYTES 16u
#define CACHED_BYTES_SHIFT 4
#define CACHED_RULE 3
#define MOST_CACHED_CLASSES 32767u
#define CLASS_PAIR(first, second) ((first) << 16 | (second))

/* Of the tag's longwords, to the entry's number. */
static inline unsigned hash_of_tag(unsigned first, unsigned second, unsigned third) {
  return finish_hash(spread_hash(spread_hash(spread_hash(first) + second) + third));
}
