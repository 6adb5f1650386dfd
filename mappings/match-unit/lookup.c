// Match unit: posts the key with the packet's length in one burst and reads the answer, which waits
// in the unit until it is there.
#include "layout.h"
#include "lookup_mark.h"
#include "microengine.h"
#include "placement.h"
#include "post_key.h"
#include "verdict.h"

static inline void lookup(const struct lookup_reads* reads, struct lookup_writes* writes) {
  const u32 mailbox = TABLE_MAILBOXES + MAILBOX_BYTES * thread_number();
  const u32 mark = begin_lookup();
  post_key_and_length((SPACE_MAILBOXES void*)mailbox, reads->field, reads->length);
  writes->rule = *(volatile SPACE_MAILBOXES u32*)(mailbox + MAILBOX_ANSWER);
  end_lookup(mark);
}
