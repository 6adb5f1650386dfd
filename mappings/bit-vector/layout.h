/* Table `pset`: the tries of all dimensions. A node has one entry of a longword for each value of
   `stride` bits of the field, the most significant bits first (stride 1: a quadword {child 0, child
   1}); the field stands left-justified in 32 bits. The roots come first, by dimension. An entry is
     the address of a node, bit 0 clear, or
     ENTRY_LEAF | the address of a bit vector; the address 0 stands for an interval that no rule
   covers. With the parameter node_quadwords a node is a structure of so many quadwords, its entries
   first. Table `vectors`: bit vectors, each rounded up to whole quadwords. Rule i is bit 31 - i %
   32 of longword i / 32. Table `actions`: longword i is the action of rule i. Offsets are in bytes.
 */
#pragma once

#define ENTRY_BYTES 4u
#define NODE_BYTES(stride, quadwords) ((quadwords) ? 8u * (quadwords) : ENTRY_BYTES << (stride))
#define ENTRY_LEAF 1u

#define VECTOR_LONGWORDS(rules) (((rules) + 31u) / 32u)
#define VECTOR_BYTES(rules) (((rules) + 63u) / 64u * 8u)
#define VECTOR_FIRST_BIT 0x80000000u

#define ACTION_BYTES 4u
