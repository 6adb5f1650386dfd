/* Recursive flow classification. A field of more than CHUNK_BITS bits is two chunks, its upper bits
   and its lower CHUNK_BITS; a shorter field is one chunk. Groups of chunks: each long field's two
   chunks, then the short fields, SHORT_FIELDS_PER_GROUP of them in a group. Pairs: two groups each
   with 4 phases; with 3 phases all groups are one.
   An entry of table `chunks` is what the chunk's class adds to the address of the group's entry in
   table `groups`: class x entries of the group's other chunks x ENTRY_BYTES; the first chunk's
   entries also contain the address of the group's first entry. So the sum of the entries of all
   chunks of a group is an address. The same holds for `groups` and `pairs`, and for `pairs` (3
   phases: `groups`) and `matches`. An entry of `matches` is the index of a rule, or NO_MATCH.
   FIELD_BITS(d) and DIMENSIONS are defined where the mapping is compiled. */
#pragma once

#define ENTRY_BYTES 4u
#define CHUNK_BITS 16

#define SHORT_FIELDS_PER_GROUP(phases) ((phases) == 3 ? 5 : 2)
#define GROUPS_PER_PAIR(phases) ((phases) == 3 ? 5 : 2)

#define ACTION_BYTES 4u
