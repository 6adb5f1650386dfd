// Buffer descriptors: what the transmit code must know of a frame, in the two SRAM longwords beside
// its buffer. While a buffer is free, the first one links it into the free list.
//   word 0   SDRAM byte address of the frame's first byte
//   word 1   6..0 bytes of the last mpacket, 13..8 number of mpackets, 19..16 input port,
//            31..20 length of the frame in bytes
#pragma once

#include "packet.h"

#define DESCRIPTOR_LAST_BYTES(frame) ((frame) & 0x7f)
#define DESCRIPTOR_MPACKETS(frame) ((frame) >> 8 & 0x3f)
#define DESCRIPTOR_LENGTH(frame) ((frame) >> 20)

static inline void write_descriptor(u32 buffer, u32 length, u32 port, u32 mpackets,
                                    u32 last_bytes) {
  sram_write2((__sram void*)descriptor_of_buffer(buffer), buffer,
              last_bytes | mpackets << 8 | port << 16 | length << 20);
}

static inline u32x2 read_descriptor(u32 buffer) {
  return sram_read2((const __sram void*)descriptor_of_buffer(buffer));
}
