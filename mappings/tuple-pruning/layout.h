/* Tuple space search with pruning. Tuples, slots and entries are those of tuple space search. Table
   `prefixes`: a trie over field 0 and one over field 1 (if the rules have it), as the bit vector's
   with a stride of PRUNING_STRIDE bits. A leaf gives the address of a bitmap in table `prunes`: of
   all tuples that have a rule which contains the interval, and 0 where there is none. Tuple number
   i, in the order of table `tuples` and counting the ends of its parts, is bit 31 - i % 32 of
   longword i / 32. Table `prunes` begins with a quadword whose first longword is the number of
   longwords of a bitmap. */
#pragma once

#include "../tuple-space-search/layout.h"

#define PRUNING_STRIDE 4
#define PRUNING_NODE_BYTES (4u << PRUNING_STRIDE)

#define PRUNES_HEAD_BYTES 8u
#define FIRST_TUPLE_BIT 0x80000000u
#define TUPLES_OFFSET (GROUPS * GROUP_BYTES)
