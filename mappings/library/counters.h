// Packet counters in scratch, for a core processor, or for a look at the memory after a run.
// The memory map calls their range `packet counters`:
//   longword r           packets dropped for reason r (DROP_... of packet.h), by any thread
//   then for each port   what its receive thread counted: 4 longwords, below
//   then for each port   what each context of the transmit engine sent there: frames, bytes
// Each longword has one writer, except the first ones, which are incremented atomically.
#pragma once

#include "microengine.h"
#include "placement.h"

#define RECEIVE_COUNTERS(port) (COUNTERS_BASE + 32 + 16 * (port))
#define RECEIVED_FRAMES 0  // whole and undamaged
#define RECEIVED_BYTES 4   // theirs
#define REFUSED_FRAMES 8   // ended damaged or too long, or found no buffer
#define BROKEN_FRAMES 12   // never ended, or never began

#define TRANSMIT_COUNTERS(port, context) \
  (COUNTERS_BASE + 32 + 16 * PORTS + (((port) << NPLAB_THREAD_BITS | (context)) << 3))

static inline void count_drop(const u32 reason) {
  scratch_incr((__scratch void*)(COUNTERS_BASE + 4 * reason));
}

// Only this thread writes the longwords, so that nothing is lost between reading and writing.
static inline void count_sent(u32 port, u32 bytes) {
  __scratch void* const counters = (__scratch void*)TRANSMIT_COUNTERS(port, ctx());
  const u32x2 sent = scratch_read2(counters);
  scratch_write2(counters, sent[0] + 1, sent[1] + bytes);
}
