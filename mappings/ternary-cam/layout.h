/* Table `tcam`, the range of a ternary CAM on the SRAM bus; all in longwords, offsets in bytes.
   Each thread has a slot: it writes its key to the slot's beginning in one burst and reads the
   answer from SLOT_ANSWER: the rule index of the first entry that matches, or the longword at
   NO_ENTRY. Then what the CAM is loaded with:
     number of entries, fields of an entry, the answer when none matches
     entries in decreasing priority: value and mask of each field, rule index */
#pragma once

#define SLOTS 512u
#define SLOT_BYTES 32u
#define SLOT_ANSWER 28u
#define ENTRY_COUNT (SLOTS * SLOT_BYTES)
#define ENTRY_FIELDS (ENTRY_COUNT + 4u)
#define NO_ENTRY (ENTRY_COUNT + 8u)
#define ENTRIES (ENTRY_COUNT + 12u)
#define ENTRY_VALUE(field) (8u * (field))
#define ENTRY_MASK(field) (8u * (field) + 4u)
#define ENTRY_RULE(fields) (8u * (fields))
#define ENTRY_BYTES(fields) (8u * (fields) + 4u)

/* Table `actions`: one longword a rule. */
#define ACTION_BYTES 4u
