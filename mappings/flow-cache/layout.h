/* Flow cache. Table `flows`: sets of PARAM_FLOW_WAYS entries of FLOW_BYTES, the latest entry of a
   set first. An entry: the key's fields (0 where it has fewer than five), the rule or NO_MATCH, the
   state, and the version of the rules. State: bit 31 set in an entry that holds a flow; 27..12 when
   it was put in, in units of 1024 cycles; 11..0 the rule's action. Table `flow_version`: one
   longword, with updates of rules: even between updates, odd while one is made. Plain C, for the
   engines' tasks and for the core processor's program. */
#pragma once

#define FLOW_BYTES 32u
#define FLOW_RULE 5
#define FLOW_STATE 6
#define FLOW_VERSION 7
#define FLOW_HELD (1u << 31)
#define FLOW_ACTION_MASK 0xfffu
#define FLOW_TIME_SHIFT 12
#define FLOW_TIME_MASK 0xffffu
#define FLOW_VERSION_BYTES 8u

/* Metadata `flow`: 1 if the verdict comes from the cache; else an even number is the version at
   which the lookup began, and an odd one says that the verdict is not kept. */
#define FLOW_HIT 1u
