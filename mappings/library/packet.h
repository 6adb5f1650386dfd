// Packet handles, buffers and the fate of a packet, shared by every stage.
//
// A queue entry begins with two longwords that name the packet:
//   word 0   SDRAM byte address of its buffer; the frame's first byte lies there
//   word 1   10..0 frame length in bytes, 19..16 input port, 31..20 number of 64-byte mpackets
// after them stand the metadata carried across the stage boundary.
#pragma once

#include "counters.h"
#include "microengine.h"
#include "placement.h"  // generated from the mapping: bases, counts, policies
#include "verdict.h"
#include "work.h"

#define PACKET_INFO(length, port, mpackets) ((length) | (port) << 16 | (mpackets) << 20)
#define PACKET_LENGTH(info) ((info) & 0x7ff)
#define PACKET_PORT(info) ((info) >> 16 & 0xf)
#define PACKET_MPACKETS(info) ((info) >> 20)

// Why a packet is dropped: the reasons that packet_drop carries and reports count.
#define DROP_QUEUE_FULL 1
#define DROP_NO_BUFFER 2
#define DROP_DENIED 3
#define DROP_NO_MATCH 4
#define DROP_BAD_FRAME 5
#define DROP_OTHER 6

// A frame that never had a buffer is named by the receive-FIFO element of one of its mpackets, 64
// bytes each.
#define FRAME_IN_RECEIVE_FIFO 0x80000000u

#define MPACKET_BYTES 64
#define MPACKET_QUADWORDS 8

// Free buffers are kept in the SRAM unit's push/pop list 0 as descriptors of 8 bytes, one for each
// buffer of 2048 bytes; a descriptor and its buffer have the same number.
#define BUFFER_LIST 0
#define BUFFER_SHIFT 8  // 2048 / 8 = 1 << 8

static inline u32 buffer_of_descriptor(u32 descriptor) {
  return ((descriptor - DESCRIPTORS_BASE) << BUFFER_SHIFT) + BUFFERS_BASE;
}

static inline u32 descriptor_of_buffer(u32 buffer) {
  return ((buffer - BUFFERS_BASE) >> BUFFER_SHIFT) + DESCRIPTORS_BASE;
}

static inline void release_buffer(u32 buffer) {
  sram_push(BUFFER_LIST, descriptor_of_buffer(buffer));
}

// Gives the packet up for `reason` (DROP_...), counts it and frees its buffer.
static inline void drop_packet(u32 buffer, const u32 reason) {
  packet_drop(buffer, reason);
  count_drop(reason);
  release_buffer(buffer);
}

// Packet information with the port that the rule's action sends the packet to.
static inline u32 forward_by_action(u32 buffer, u32 info, u32 action) {
  if ((action & 0xff) != ACTION_FORWARD)
    return info;
  const u32 port = action >> 8 & 0xf;
  packet_forward(buffer, port);
  return (info & ~(0xfu << 16)) | port << 16;
}
