// Many fields, per field: finds the vector of the rules that match in the field, or, for the first
// field of a superfield, in all of its fields.
#include "superfields.h"

// Four longwords: one burst of SRAM or scratch, two quadwords of SDRAM.
typedef u32 record __attribute__((vector_size(16), aligned(8)));

static inline void set_hash_multipliers(void) {
  csr_write(hash_multiplier_0, HASH_48_MULTIPLIER_LOW);
  csr_write(hash_multiplier_1, HASH_48_MULTIPLIER_HIGH);
  csr_write(hash_multiplier_2, HASH_64_MULTIPLIER_LOW);
  csr_write(hash_multiplier_3, HASH_64_MULTIPLIER_HIGH);
}

struct search_key {
  u32 high;
  u32 low;
  u32 bits;  // a constant
};

// Moves the key up and puts a field of `bits` bits, a constant, below it.
static inline void append_field(struct search_key* key, const u32 bits, u32 high, u32 low) {
  if (bits >= 64) {
    key->high = high;
    key->low = low;
  } else if (bits >= 32) {
    key->high = key->low << (bits & 31) | high;
    key->low = low;
  } else {
    key->high = key->high << bits | key->low >> (32 - bits);
    key->low = key->low << bits | low;
  }
  key->bits += bits;
}

static inline struct search_key key_of(const u32 dimension, const struct lookup_reads* reads) {
  struct search_key key = {0, 0, 0};
#define APPEND(d)                                                                           \
  if ((d) < DIMENSIONS &&                                                                   \
      ((SUPERFIELD_OF(dimension) ? SUPERFIELD_OF(dimension) : 1u << dimension) >> (d) & 1)) \
    append_field(&key, FIELD_BITS((d) % DIMENSIONS), reads->field_high[(d) % DIMENSIONS],   \
                 reads->field[(d) % DIMENSIONS]);
  EACH_FIELD(APPEND)
#undef APPEND
  return key;
}

static inline u32 precedes(struct search_key key, const record node) {
  if (key.bits <= 32)
    return key.low < node[1];
  if (key.high != node[0])
    return key.high < node[0];
  return key.low < node[1];
}

static inline u32 search_tree(const u32 dimension, struct search_key key) {
  u32 link = TABLE_TREES + dimension * TREE_NODE_BYTES;
  do {
    if (SUPERFIELD_OF(dimension) && link & LINK_MASK) {
      const record rest = *(const volatile SPACE_TREES record*)(link ^ LINK_MASK);
      key.high &= rest[0];
      key.low &= rest[1];
      link = rest[2];
    } else {
      const record node = *(const volatile SPACE_TREES record*)link;
      link = node[3];
      if (precedes(key, node))
        link = node[2];
    }
  } while (!(link & LINK_LEAF));
  return link ^ LINK_LEAF;
}

static inline u32 is_slot_of(struct search_key key, const record slot) {
  if (slot[1] != key.low)
    return 0;
  return key.bits <= 32 || slot[0] == key.high;
}

static inline u32 search_hash(const u32 dimension, struct search_key key) {
  const record table =
      *(const volatile SPACE_HASHES record*)(TABLE_HASHES + dimension * SLOT_BYTES);
  const u32 halves[2] = {table[0], table[1]};
  const u32 mask = table[2];
  const u32 others = table[3];
  const u32x2 hash =
      key.bits <= NARROW_HASH_BITS ? hash_48(key.high, key.low) : hash_64(key.high, key.low);
  const record first =
      *(const volatile SPACE_HASHES record*)(halves[0] + FIRST_SLOT(hash[0], hash[1], mask));
  if (is_slot_of(key, first))
    return first[2];
  const record second =
      *(const volatile SPACE_HASHES record*)(halves[1] + SECOND_SLOT(hash[0], hash[1], mask));
  if (is_slot_of(key, second))
    return second[2];
  return others;
}

static inline void lookup(const u32 dimension, const struct lookup_reads* reads,
                          struct lookup_writes* writes) {
  if (!IS_SEARCHED(dimension))
    writes->vector = NOT_SEARCHED;
  else if (IS_HASHED(dimension))
    writes->vector = search_hash(dimension, key_of(dimension, reads));
  else
    writes->vector = search_tree(dimension, key_of(dimension, reads));
}
