// Reassembly: what an mpacket that a port delivers is to the frame under way there. Ports deliver a
// frame's mpackets in order, 64 bytes each but the last. A frame that has gone wrong is ignored up
// to its end.
#pragma once

#include "packet.h"

#define RECEIVE_SOP 0x100
#define RECEIVE_EOP 0x200
#define RECEIVE_ERROR 0x400
#define RECEIVE_EMPTY 0x800
#define RECEIVE_BYTES(control) ((control) >> 16 & 0x7f)

// The longest frame: its length fits packet information (packet.h), and the frame its buffer.
#define LONGEST_FRAME 2047

// What is known of the frame under way; other values say why it will be dropped (DROP_...).
#define FRAME_NONE 0
#define FRAME_GOOD 8

// A port's receive thread keeps this in registers; all 0 at the start.
struct receive_state {
  u32 buffer;           // of the frame under way or the next one; 0: none was free
  u32 frame;            // FRAME_..., or a reason
  u32 length;           // bytes so far
  u32 mpackets;         // so far
  u32 last_bytes;       // of the last mpacket
  u32 received_frames;  // the rest are counters (counters.h)
  u32 received_bytes;
  u32 refused_frames;
  u32 broken_frames;
};

// A frame begins: the last one must have ended. `buffer`: that of the new one. A frame that did not
// end leaves its buffer to the next.
static inline void begin_frame(struct receive_state* state) {
  if (state->frame != FRAME_NONE)
    state->broken_frames += 1;
  state->frame = state->buffer ? FRAME_GOOD : DROP_NO_BUFFER;
  state->length = 0;
  state->mpackets = 0;
}

// An mpacket of the frame under way: counts it, and marks a frame that is damaged or too long.
// Whether there is a frame; otherwise the mpacket is nobody's.
static inline u32 add_mpacket(struct receive_state* state, u32 control) {
  if (state->frame == FRAME_NONE) {
    state->broken_frames += 1;
    return 0;
  }
  state->last_bytes = RECEIVE_BYTES(control);
  state->length += state->last_bytes;
  state->mpackets += 1;
  if (state->frame == FRAME_GOOD && (control & RECEIVE_ERROR || state->length > LONGEST_FRAME))
    state->frame = DROP_BAD_FRAME;
  return 1;
}

// The frame has ended: counts it. FRAME_GOOD, or why it is dropped.
static inline u32 end_frame(struct receive_state* state) {
  const u32 frame = state->frame;
  state->frame = FRAME_NONE;
  if (frame == FRAME_GOOD) {
    state->received_frames += 1;
    state->received_bytes += state->length;
  } else {
    state->refused_frames += 1;
  }
  return frame;
}
