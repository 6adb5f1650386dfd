/* A tuple says how many leading bits of each field its hash table looks at: field and mask give the
   key. Table `tuples`: for each of the GROUPS parts of the search the address of its first tuple, a
   longword each; then the tuples, part by part, in the order in which they are searched, each of
   TUPLE_BYTES: a mask for each of five fields (0 where the rules have fewer), best: the least rule
   index that its hash table holds at any time; NO_MATCH, which ends a part, the address of the hash
   table's slots, and the mask that gives a slot's offset from the hash. Table `slots`: the address
   of the first entry of each slot, 0 where it has none. Table `entries`: one a rule, of
   ENTRY_BYTES: rule index, address of the slot's next entry (0: none), low and high of each of five
   fields, action. A slot's entries come by increasing rule index. Table `readers`: readers.h.
   Offsets are in longwords where a record is read as a burst, else in bytes. */
#pragma once

#include "../include/one_at_a_time.h"

#define GROUPS 4u
#define GROUP_BYTES 4u

#define TUPLE_BYTES 32u
#define TUPLE_MASK(field) (field)
#define TUPLE_BEST 5
#define TUPLE_SLOTS 6
#define TUPLE_SLOT_MASK 7

#define SLOT_BYTES 4u

#define ENTRY_BYTES 64u
#define ENTRY_RULE 0
#define ENTRY_NEXT 1
#define ENTRY_LOW(field) (2 + 2 * (field))
#define ENTRY_HIGH(field) (3 + 2 * (field))
#define ENTRY_ACTION 12
#define BURST_LONGWORDS 8
#define BURST_BYTES 32u

/* Parameter hash_unit: the hash unit's 64-bit hash of the key, folded so that fields of up to 32,
   32, 16, 16 and 8 bits overlap where they differ least. The multiplier is 2^64 / golden ratio, of
   mixed bits. */
#define HASH_MULTIPLIER_HIGH 0x9e3779b9u
#define HASH_MULTIPLIER_LOW 0x7f4a7c15u
#define ROTATED(field, bits) ((field) << (bits) | (field) >> (32 - (bits)))
#define FOLDED_HIGH(field0, field3) ((field0) ^ ROTATED(field3, 16))
#define FOLDED_LOW(field1, field2, field4) ((field1) ^ ROTATED(field2, 16) ^ ROTATED(field4, 24))

/* Without it the hash is computed in registers, one field after another. finish_hash() gives the
   offset of a key's slot, before the slot mask; the lowest two bits fall to it. */
static inline unsigned mix(unsigned hash, unsigned masked_field) {
  return spread_hash(hash ^ masked_field);
}
