// Receive: moves frames from one port into packet buffers, one mpacket of 64 bytes at a time. One
// thread a port and one receive-FIFO element a thread, as the vendor's receive code does it.
#pragma once

#include "counters.h"
#include "descriptor.h"
#include "packet.h"
#include "reassembly.h"

#define RECEIVE_REQUEST(port, element, thread) ((port) | (element) << 4 | (thread) << 8)

// Until the receive state machine takes a request.
static inline __waits_for_room void wait_for_receive_request(void) {
  while (!inp_state(rec_req_avail))
    ctx_swap_voluntary();
}

// Waits until the port has an mpacket and has the receive state machine move it into `element`;
// returns its rcv_cntl record. No other thread of the engine runs between the look at rec_req_avail
// and the request, which is the right to make it.
static inline u32 receive_mpacket(u32 port, u32 element) {
  for (;;) {
    poll_begin();
    while (!(csr_read(rcv_rdy_lo) >> port & 1)) {
    }
    wait_for_receive_request();
    poll_end();
    fast_wr(rcv_req, RECEIVE_REQUEST(port, element, thread_number()));
    ctx_wait(start_receive);
    u32 control = csr_read(rcv_cntl);
    if (!(control & RECEIVE_EMPTY))
      return control;
  }
}

// A free buffer, or 0; where nothing may be lost (FULL_WAITS) it waits for one.
static inline u32 take_buffer(void) {
  u32 descriptor = sram_pop(BUFFER_LIST);
#if FULL_WAITS
  while (!descriptor) {
    wait_for_room();
    descriptor = sram_pop(BUFFER_LIST);
  }
#endif
  return descriptor ? buffer_of_descriptor(descriptor) : 0;
}

static inline void write_receive_counters(u32 port, const struct receive_state* state) {
  scratch_write4((__scratch void*)RECEIVE_COUNTERS(port), state->received_frames,
                 state->received_bytes, state->refused_frames, state->broken_frames);
}

// The next frame of the port that is whole and undamaged, in a buffer of its own, with its
// descriptor written. Others are dropped here.
static inline void receive_packet(u32 port, struct receive_state* state, u32* buffer, u32* info) {
  const u32 element = port;
  for (;;) {
    u32 control = receive_mpacket(port, element);
    if (control & RECEIVE_SOP) {
      if (!state->buffer)
        state->buffer = take_buffer();
      begin_frame(state);
    }
    if (!add_mpacket(state, control))
      continue;
    if (state->frame == FRAME_GOOD) {
      sdram_r_fifo_read(state->buffer + (state->mpackets - 1) * MPACKET_BYTES,
                        element * MPACKET_BYTES, MPACKET_QUADWORDS);
    }
    if (!(control & RECEIVE_EOP))
      continue;
    const u32 frame = end_frame(state);
    write_receive_counters(port, state);
    if (frame == FRAME_GOOD) {
      *buffer = state->buffer;
      *info = PACKET_INFO(state->length, port, state->mpackets);
      write_descriptor(state->buffer, state->length, port, state->mpackets, state->last_bytes);
      state->buffer = 0;
      spend(TUNE_RECEIVE_WORK);
      return;
    }
    packet_drop(FRAME_IN_RECEIVE_FIFO + element * MPACKET_BYTES, frame);
    count_drop(frame);
    if (state->buffer)
      release_buffer(state->buffer);
    state->buffer = 0;
  }
}
