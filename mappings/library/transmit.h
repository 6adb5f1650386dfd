// Transmit: moves frames from packet buffers into the transmit FIFO, whose state machine sends its
// elements in order.
//
// All transmit threads share one microengine, so that the running number of the next element is a
// register that they share; threads are not preempted, which makes taking a number atomic.
#pragma once

#include "counters.h"
#include "descriptor.h"
#include "packet.h"

#define TRANSMIT_SOP 0x100
#define TRANSMIT_EOP 0x200
#define TRANSMIT_CONTROL(port, bytes) ((port) | (bytes) << 16)
#define TRANSMIT_CONTROL_BASE 1024  // FIFO address of the elements' control longwords
#define TRANSMIT_ELEMENTS 16

#define SHARED_NEXT_ELEMENT 0  // running count; the low 4 bits are the element
#define SHARED_PORTS_BUSY 1    // bit p: a frame of several mpackets is on its way to port p

// Takes the next element, once the state machine has left it and no bit of `excluded` is set among
// the busy ports; then marks the ports `claimed` as busy. From the look at both to the taking no
// other thread runs.
static inline u32 take_element(u32 excluded, u32 claimed) {
  u32 walked;  // read first: the wait for it lets other threads take elements
  blocked_begin();
  do {
    walked = csr_read(xmit_ptr);
  } while (shared_read(SHARED_NEXT_ELEMENT) - walked >= TRANSMIT_ELEMENTS ||
           (shared_read(SHARED_PORTS_BUSY) & excluded));
  poll_end();
  if (claimed)
    shared_write(SHARED_PORTS_BUSY, shared_read(SHARED_PORTS_BUSY) | claimed);
  u32 next = shared_read(SHARED_NEXT_ELEMENT);
  shared_write(SHARED_NEXT_ELEMENT, next + 1);
  return next & (TRANSMIT_ELEMENTS - 1);
}

static inline void fill_element(u32 element, u32 address, u32 control) {
  sdram_t_fifo_write(element * MPACKET_BYTES, address, MPACKET_QUADWORDS);
  t_fifo_write(TRANSMIT_CONTROL_BASE + element * 4, control);
  fast_wr(xmit_validate, element);
}

// Waits until the port's buffer had room for an mpacket when the ready bus last looked: an element
// for a port without room would hold up the elements of all others.
static inline void wait_for_port(u32 port) {
  blocked_begin();
  while (!(csr_read(xmit_rdy_lo) >> port & 1)) {
  }
  poll_end();
}

// Sends the frame as its descriptor describes it. It may go between those of other threads, but not
// into the middle of a longer one to its port: whose first mpacket claims the port until the last
// one has its element.
static inline void transmit_frame(u32 buffer, u32 info, u32 port) {
  spend(TUNE_TRANSMIT_WORK);
  const u32x2 descriptor = read_descriptor(buffer);
  const u32 port_bit = 1u << port;
  const u32 last_bytes = DESCRIPTOR_LAST_BYTES(descriptor[1]);
  const u32 length = DESCRIPTOR_LENGTH(descriptor[1]);
  u32 left = DESCRIPTOR_MPACKETS(descriptor[1]) - 1;
  u32 address = descriptor[0];
  wait_for_port(port);
  if (left == 0) {
    fill_element(take_element(port_bit, 0), address,
                 TRANSMIT_CONTROL(port, last_bytes) | TRANSMIT_SOP | TRANSMIT_EOP);
  } else {
    fill_element(take_element(port_bit, port_bit), address,
                 TRANSMIT_CONTROL(port, MPACKET_BYTES) | TRANSMIT_SOP);
    while (--left) {
      address += MPACKET_BYTES;
      wait_for_port(port);
      fill_element(take_element(0, 0), address, TRANSMIT_CONTROL(port, MPACKET_BYTES));
    }
    address += MPACKET_BYTES;
    wait_for_port(port);
    const u32 element = take_element(0, 0);
    shared_write(SHARED_PORTS_BUSY, shared_read(SHARED_PORTS_BUSY) & ~port_bit);
    fill_element(element, address, TRANSMIT_CONTROL(port, last_bytes) | TRANSMIT_EOP);
  }
  count_sent(port, length);
  release_buffer(buffer);
}
