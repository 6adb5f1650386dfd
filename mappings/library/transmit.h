// Transmit: moves frames from packet buffers into the transmit FIFO, whose state machine sends its elements in order.
//
// All transmit threads share one microengine, so that the running number of the next element is a register that they
// share; threads are not preempted, which makes taking a number atomic.
#pragma once

#include "packet.h"

#define TRANSMIT_SOP 0x100
#define TRANSMIT_EOP 0x200
#define TRANSMIT_CONTROL(port, bytes) ((port) | (bytes) << 16)
#define TRANSMIT_CONTROL_BASE 1024       // FIFO address of the elements' control longwords
#define TRANSMIT_ELEMENTS 16

#define SHARED_NEXT_ELEMENT 0            // running count; the low 4 bits are the element
#define SHARED_PORTS_BUSY 1              // bit p: a frame of several mpackets is on its way to port p

// Takes the next element, once the state machine has left it.
static inline u32 take_element(void) {
  u32 walked;   // read first: the wait for it lets other threads take elements
  poll_begin();
  do {
    walked = csr_read(xmit_ptr);
  } while (shared_read(SHARED_NEXT_ELEMENT) - walked >= TRANSMIT_ELEMENTS);
  poll_end();
  u32 next = shared_read(SHARED_NEXT_ELEMENT);
  shared_write(SHARED_NEXT_ELEMENT, next + 1);
  return next & (TRANSMIT_ELEMENTS - 1);
}

static inline void transmit_mpacket(u32 address, u32 control) {
  u32 element = take_element();
  sdram_t_fifo_write(element * MPACKET_BYTES, address, MPACKET_QUADWORDS);
  t_fifo_write(TRANSMIT_CONTROL_BASE + element * 4, control);
  fast_wr(xmit_validate, element);
}

// Frames of one mpacket may go between those of other threads, but not into the middle of a longer frame to their port.
static inline void transmit_frame(u32 buffer, u32 info, u32 port) {
  const u32 mpackets = PACKET_MPACKETS(info);
  poll_begin();
  while (shared_read(SHARED_PORTS_BUSY) >> port & 1) ctx_swap_voluntary();
  poll_end();
  if (mpackets == 1) {
    transmit_mpacket(buffer, TRANSMIT_CONTROL(port, PACKET_LENGTH(info)) | TRANSMIT_SOP | TRANSMIT_EOP);
  } else {
    shared_write(SHARED_PORTS_BUSY, shared_read(SHARED_PORTS_BUSY) | 1u << port);
    u32 left = PACKET_LENGTH(info);
    u32 mark = TRANSMIT_SOP;
    u32 address = buffer;
    while (left > MPACKET_BYTES) {
      transmit_mpacket(address, TRANSMIT_CONTROL(port, MPACKET_BYTES) | mark);
      mark = 0;
      address += MPACKET_BYTES;
      left -= MPACKET_BYTES;
    }
    transmit_mpacket(address, TRANSMIT_CONTROL(port, left) | mark | TRANSMIT_EOP);
    shared_write(SHARED_PORTS_BUSY, shared_read(SHARED_PORTS_BUSY) & ~(1u << port));
  }
  release_buffer(buffer);
}
