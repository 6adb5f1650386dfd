// Lab 1: the checksum of an IPv4 header.
#include "microengine.h"

#define HEADER 0x100  // byte address in SRAM
#ifndef DESTINATION   // the checker tries another one, too
#define DESTINATION 0xc0a800c7
#endif

static inline u32 halves(u32 longword) {
  return (longword >> 16) + (longword & 0xffff);
}

int main(void) {
  __sram u32* header = (__sram u32*)HEADER;
  sram_write4(header, 0x45000073, 0x00004000, 0x40110000, 0xc0a80001);
  sram_write(header + 4, DESTINATION);

  u32x4 first = sram_read4(header);  // one burst instead of four references
  u32 sum = halves(first[0]) + halves(first[1]) + halves(first[2]) + halves(first[3]) +
            halves(sram_read(header + 4));
  sum = halves(sum);
  sum = halves(sum);
  console_hex(sum ^ 0xffff);
  return 0;
}
