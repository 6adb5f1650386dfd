/* Tries of two dimensions. Table `sources`: one trie over the prefixes of field 0, the root first,
   a node of SOURCE_BYTES: its two children, the root of its trie of field 1, 0 where there is none.
   Table `tries`: these tries, a node of LIST_NODE_BYTES: its two children, and its list. A child in
   a grid may be a node of another trie (a switch pointer). Table `lists`: rule numbers, a longword
   each, ascending, NO_MATCH after the last. Rules are those of HiCuts. Addresses are 0 where there
   is nothing. Offsets in nodes are in longwords. */
#pragma once

#include "../hicuts/rule_layout.h"

#define SOURCE_BYTES 16u
#define SOURCE_TRIE 2

#define LIST_NODE_BYTES 16u
#define LIST_NODE_LIST 2

#define LIST_ENTRY_BYTES 4u
