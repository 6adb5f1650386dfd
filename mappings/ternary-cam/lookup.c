// Ternary CAM: the key in one burst, the answer in one longword.
#include "layout.h"
#include "microengine.h"
#include "placement.h"
#include "post_key.h"
#include "verdict.h"

static inline void lookup(const struct lookup_reads* reads, struct lookup_writes* writes) {
  const u32 slot = TABLE_TCAM + SLOT_BYTES * thread_number();
  post_key((SPACE_TCAM void*)slot, reads->field);
  writes->rule = *(volatile SPACE_TCAM u32*)(slot + SLOT_ANSWER);
}
