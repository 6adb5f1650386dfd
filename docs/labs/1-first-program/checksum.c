// Lab 1: the checksum of an IPv4 header.
#include "microengine.h"

#define HEADER 0x100  // byte address in SRAM
#ifndef DESTINATION   // the checker tries another one, too
#define DESTINATION 0xc0a800c7
#endif

int main(void) {
  __sram u32* header = (__sram u32*)HEADER;
  sram_write4(header, 0x45000073, 0x00004000, 0x40110000, 0xc0a80001);
  sram_write(header + 4, DESTINATION);

  u32 checksum = 0;
  // Here: read the five longwords back and compute the checksum.

  console_hex(checksum);
  return 0;
}
