/* Many fields. A search is that of a field, or of a superfield: several fields, whose bits stand
   one after the other, those of the first field most significant. Searches are named by their
   (first) field.

   Table `trees`: nodes of TREE_NODE_BYTES {key high, key low, left, right}: keys from the node's on
   are right. Roots come first, by field; those of other searches are not used. A link is LINK_LEAF
   | the address of a vector (0 for none), the address of a node, or LINK_MASK | the address of a
   node {mask high, mask low, link, 0}: the search goes on from its link with the key's bits of the
   mask alone.

   Table `hashes`: first, by field, {address of the first half, address of the second half, mask,
   vector of values without a slot}; those of other searches are not used. Then the halves of each
   field, slots of SLOT_BYTES {value high, value low, vector, 0}; an empty slot has a value without
   a slot. A value lies in a half where bits of its hash say (FIRST_SLOT, SECOND_SLOT: in bytes,
   `mask` chooses them). Values of up to NARROW_HASH_BITS bits have the hash of 48 bits, others
   of 64.

   Table `vectors`: rule i is bit 31 - i % 32 of longword i / 32; rounded up to VECTOR_UNIT bytes.
   Table `actions`: longword i is the action of rule i. */
#pragma once

#define TREE_NODE_BYTES 16u
#define LINK_LEAF 1u
#define LINK_MASK 2u

#define SLOT_BYTES 16u
#define NARROW_HASH_BITS 48u
#define FIRST_SLOT(hash_high, hash_low, mask) ((hash_low) & (mask))
#define SECOND_SLOT(hash_high, hash_low, mask) (((hash_high) << 12 | (hash_low) >> 20) & (mask))
/* Odd numbers without a pattern: the digits of the golden ratio. */
#define HASH_48_MULTIPLIER_HIGH 0x9e37u
#define HASH_48_MULTIPLIER_LOW 0x79b97f4bu
#define HASH_64_MULTIPLIER_HIGH 0x9e3779b9u
#define HASH_64_MULTIPLIER_LOW 0x7f4a7c15u

#define VECTOR_UNIT 32u
#define RULE_VECTOR_BYTES(rules) (((rules) + 255u) / 256u * VECTOR_UNIT)
#define VECTOR_FIRST_BIT 0x80000000u
/* metadata `vector` of a field that is searched with another one */
#define NOT_SEARCHED 1u

#define ACTION_BYTES 4u

#define MOST_FIELDS 24
/* addresses of vectors that a thread keeps in registers; more lie in memory */
#define MOST_IN_REGISTERS 5
#define CONTEXTS 8
#define SUPERFIELDS 7
#define WIDEST_SEARCH 64u
