/* The verdict on a packet, as the tasks of every algorithm write it and as the engines' library
   acts on it. Plain C, so that table builders include it too. */
#pragma once

/* metadata `rule`: the index of the first matching rule, or */
#define NO_MATCH 0xffffffffu

/* metadata `action`: one of these; a forward has its port in bits 11..8 */
#define ACTION_DENY 0u
#define ACTION_ALLOW 1u
#define ACTION_FORWARD 2u
