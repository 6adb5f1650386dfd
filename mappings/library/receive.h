// Receive: moves frames from one port into packet buffers, one mpacket of 64 bytes at a time. One
// thread a port and one receive-FIFO element a thread, as the vendor's receive code does it.
#pragma once

#include "packet.h"

#define RECEIVE_REQUEST(port, element, thread) ((port) | (element) << 4 | (thread) << 8)
#define RECEIVE_SOP 0x100
#define RECEIVE_EOP 0x200
#define RECEIVE_ERROR 0x400
#define RECEIVE_EMPTY 0x800
#define RECEIVE_BYTES(control) ((control) >> 16 & 0x7f)

// The frame under way on the thread's port.
struct receive_state {
  u32 buffer;  // 0: none was free
  u32 length;  // bytes so far
  u32 mpackets;
};

// Waits until the port has an mpacket and has the receive state machine move it into `element`;
// returns its rcv_cntl record.
static inline u32 receive_mpacket(u32 port, u32 element) {
  for (;;) {
    poll_begin();
    while (!(csr_read(rcv_rdy_lo) >> port & 1)) {
    }
    while (!inp_state(rec_req_avail))
      ctx_swap_voluntary();
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

// The next whole frame of the port in a buffer of its own. Frames that found no buffer or arrived
// damaged are dropped here.
static inline void receive_packet(u32 port, struct receive_state* state, u32* buffer, u32* info) {
  const u32 element = port;
  for (;;) {
    u32 control = receive_mpacket(port, element);
    if (control & RECEIVE_SOP) {
      state->buffer = take_buffer();
      state->length = 0;
      state->mpackets = 0;
    }
    if (state->buffer)
      sdram_r_fifo_read(state->buffer + state->length, element * MPACKET_BYTES, MPACKET_QUADWORDS);
    state->length += RECEIVE_BYTES(control);
    state->mpackets += 1;
    if (!(control & RECEIVE_EOP))
      continue;
    if (!state->buffer) {
      packet_drop(FRAME_IN_RECEIVE_FIFO + element * MPACKET_BYTES, DROP_NO_BUFFER);
    } else if (control & RECEIVE_ERROR) {
      drop_packet(state->buffer, DROP_BAD_FRAME);
    } else {
      spend(TUNE_RECEIVE_WORK);
      *buffer = state->buffer;
      *info = PACKET_INFO(state->length, port, state->mpackets);
      return;
    }
  }
}
