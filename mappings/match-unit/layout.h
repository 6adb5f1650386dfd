/* Table `mailboxes`: the range of the SRAM bus behind which the chip's match unit is. Each thread
   has a mailbox: it writes its key to the beginning, a longword for each field and one with the
   packet's length in one burst, and reads the longword at MAILBOX_ANSWER, which comes when the
   lookup has ended: the index of the best rule, or NO_MATCH. isa/match/mailbox.h says the same to
   the simulator. */
#pragma once

#define MAILBOXES 512u
#define MAILBOX_BYTES 32u
#define MAILBOX_ANSWER 28u

/* Table `actions`: one longword a rule. */
#define ACTION_BYTES 4u
