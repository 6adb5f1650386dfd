// The 5-tuple of an IPv4 packet, read from its buffer in one burst of SDRAM (and two more
// references when the header has options). The reference reading on the host is
// workloads/packets/key_layout.h; the two agree on what is no IPv4 packet.
//
// placement.h chooses when compiling: KEY_OPTIONS (1: headers with options are read too), KEY_PORTS
// (1: the key has ports), KEY_PORTS_ALWAYS (1: every packet has them; 0: TCP, UDP and SCTP in first
// fragments, elsewhere they are 0). If KEY_NO_PORT is defined, both ports of a later fragment are
// this number.
#pragma once

#include "packet.h"

#define IPV4_HEADER_OFFSET 14
#define IPV4_HEADER_BYTES 20
#define IPV4_MARK 0x080045u  // Ethernet type and version 4, header of 5 longwords
#define FCS_BYTES 4

#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17
#define PROTOCOL_SCTP 132

struct ipv4_key {
  u32 source_address;
  u32 destination_address;
  u32 source_port;
  u32 destination_port;
  u32 protocol;
};

// Fills `key` from the frame in `buffer`; 0 when it is not IPv4 or is cut short, so that no rule
// matches it.
static inline u32 load_ipv4_key(u32 buffer, u32 info, struct ipv4_key* key) {
  // Longword i of the burst holds the frame's bytes 8 + 4i to 11 + 4i.
  const u32x8 header = sdram_read4((const __sdram void*)(buffer + 8));
  u32 header_bytes = IPV4_HEADER_BYTES;
#if KEY_OPTIONS
  if (header[1] >> 12 != IPV4_MARK >> 4)
    return 0;
  header_bytes = (header[1] >> 8 & 15) << 2;
  if (header_bytes < IPV4_HEADER_BYTES)
    return 0;
#else
  if (header[1] >> 8 != IPV4_MARK)
    return 0;
#endif
  u32 datagram_bytes = header[2] >> 16;
  const u32 room = PACKET_LENGTH(info) - (IPV4_HEADER_OFFSET + FCS_BYTES);
  if (datagram_bytes > room)
    datagram_bytes = room;
  if (datagram_bytes < header_bytes)
    return 0;

  key->source_address = header[4] << 16 | header[5] >> 16;
  key->destination_address = header[5] << 16 | header[6] >> 16;
  key->protocol = header[3] & 0xff;
  key->source_port = 0;
  key->destination_port = 0;
#if KEY_PORTS
#if !KEY_PORTS_ALWAYS
  if (header[3] >> 16 & 0x1fff) {
#ifdef KEY_NO_PORT
    key->source_port = KEY_NO_PORT;
    key->destination_port = KEY_NO_PORT;
#endif
    return 1;
  }
  if (key->protocol != PROTOCOL_TCP && key->protocol != PROTOCOL_UDP &&
      key->protocol != PROTOCOL_SCTP)
    return 1;
#endif
  if (datagram_bytes < header_bytes + 4)
    return 0;
  u32 ports_high = header[6];
  u32 ports_low = header[7];
#if KEY_OPTIONS
  if (header_bytes != IPV4_HEADER_BYTES) {
    // The ports begin in the middle of a longword: 14 + header_bytes leaves 2 when divided by 4.
    const __sdram u32* ports = (const __sdram u32*)(buffer + IPV4_HEADER_OFFSET - 2 + header_bytes);
    ports_high = ports[0];
    ports_low = ports[1];
  }
#endif
  key->source_port = ports_high & 0xffff;
  key->destination_port = ports_low >> 16;
#endif
  return 1;
}
