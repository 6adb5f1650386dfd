/* Tries (table `pset`) and actions are those of the bit vector (../bit-vector/layout.h). A leaf
   gives the address of a record in table `intervals`, of INTERVAL_BYTES: the address of a bit
   vector in table `vectors`, and up to MOST_CHANGES numbers of rules, 16 bits each, ascending, the
   first in the upper half of the second longword; NO_CHANGE follows the last. The interval's rules
   are those of the vector with the bits of these rules inverted. Rule i is bit 31 - i % 32 of
   longword i / 32 of a vector. Offsets of an interval are in longwords. */
#pragma once

#include "../bit-vector/layout.h"

#define INTERVAL_BYTES 16u
#define INTERVAL_VECTOR 0
#define INTERVAL_CHANGES 1
#define MOST_CHANGES 6u
#define NO_CHANGE 0xffffu

/* A vector is read in blocks of a quadword. */
#define BLOCK_RULES 64u
#define BLOCK_BYTES 8u
#define BLOCKS(rules) (((rules) + BLOCK_RULES - 1u) / BLOCK_RULES)
#define BLOCK_SHIFT 6u
