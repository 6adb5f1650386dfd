/* Jenkins' one-at-a-time hash, a longword at a time: in layout.h of an algorithm, for its engine C
   and its table builder. */
#pragma once

static inline unsigned spread_hash(unsigned hash) {
  hash += hash << 10;
  return hash ^ hash >> 6;
}

/* After the last longword. */
static inline unsigned finish_hash(unsigned hash) {
  hash += hash << 3;
  hash ^= hash >> 11;
  return hash + (hash << 15);
}
