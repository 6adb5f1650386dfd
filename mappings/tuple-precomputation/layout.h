/* Tuple space search with markers and precomputation. A *pair* is a prefix of field 0 and one of
   field 1 (of one field alone: the empty prefix). Its tuple is the two lengths. Tuples form a grid:
   a row for each length of field 0 that occurs, the longest first, a column for each length of
   field 1, the shortest first.

   Table `tuples`: the tuples of the grid that have pairs, row by row, of TUPLE_RECORD_BYTES: a mask
   for each of the two fields; best: the least rule index of this row and the shorter ones in this
   column and the longer ones; the address of the hash table's slots, and the mask that gives a
   slot's offset from the hash; the addresses of the tuples that are searched after a hit (to the
   right) and after a miss (of shorter prefixes of field 0); 0: the search ends. Table `slots`: the
   address of the first pair of each slot, 0 where it has none. Table `pairs`, of PAIR_BYTES: the
   two masked fields, the slot's next pair, best: the least rule index of this pair and of all that
   cover it, the first of its rules (0 for a marker), and the pair in this column with the next
   shorter prefix of field 0 that has rules. Table `entries`: the rules as in tuple space search,
   chained by pair. An address of 0 stands for none. Offsets are in longwords. */
#pragma once

#include "../tuple-space-search/layout.h"

#define PAIR_FIELDS 2u

#define TUPLE_RECORD_BYTES 32u
#define TUPLE_RECORD_MASK(field) (field)
#define TUPLE_RECORD_BEST 2
#define TUPLE_RECORD_SLOTS 3
#define TUPLE_RECORD_SLOT_MASK 4
#define TUPLE_RECORD_AFTER_HIT 5
#define TUPLE_RECORD_AFTER_MISS 6

#define PAIR_BYTES 32u
#define PAIR_KEY(field) (field)
#define PAIR_NEXT 2
#define PAIR_BEST 3
#define PAIR_RULES 4
#define PAIR_COVERING 5
