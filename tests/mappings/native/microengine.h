// Stands in for the engine's microengine.h where tasks are compiled for the host: memories lie at
// the host's own addresses.
#pragma once

typedef unsigned int u32;
#define __sram
#define __sdram
#define __scratch

typedef u32 u32x2 __attribute__((vector_size(8), aligned(4)));
typedef u32 u32x4 __attribute__((vector_size(16), aligned(4)));
typedef u32 u32x8 __attribute__((vector_size(32), aligned(4)));
// The hash unit, with registers of its own. The product over GF(2) is reduced bit by bit from the
// top, which is another way than the simulator's.
static u32 native_csr[6];
#define hash_multiplier_0 0
#define hash_multiplier_1 1
#define hash_multiplier_2 2
#define hash_multiplier_3 3
#define csr_write(name, value) (native_csr[name] = (value))
static inline u32x2 hash_64(u32 high, u32 low) {
  const unsigned long long multiplier = (unsigned long long)native_csr[3] << 32 | native_csr[2];
  unsigned long long key = (unsigned long long)high << 32 | low, sum = 0;
  for (u32 bit = 0; bit < 64; ++bit) {
    if (multiplier >> bit & 1)
      sum ^= key;
    key = key << 1 ^ (key >> 63 ? 1ull << 54 | 1ull << 35 | 1ull << 17 | 1 : 0);
  }
  return (u32x2){(u32)(sum >> 32), (u32)sum};
}

static inline u32x2 hash_48(u32 high, u32 low) {
  const unsigned long long multiplier =
      (unsigned long long)(native_csr[1] & 0xffff) << 32 | native_csr[0];
  unsigned long long key = (unsigned long long)(high & 0xffff) << 32 | low, sum = 0;
  for (u32 bit = 0; bit < 48; ++bit) {
    if (multiplier >> bit & 1)
      sum ^= key;
    key <<= 1;
    if (key >> 48)
      key ^= 1ull << 48 | 1ull << 36 | 1ull << 25 | 1ull << 10 | 1;
  }
  return (u32x2){(u32)(sum >> 32), (u32)sum};
}

#define ctx() 0u
#define mega_flow_hit() ((void)0)

static inline u32 scratch_test_and_set(void* address, u32 mask) {
  const u32 before = *(u32*)address;
  *(u32*)address |= mask;
  return before;
}
#define scratch_write(address, value) (*(u32*)(address) = (value))

#define sram_read_start(address) (*(address))
#define ctx_wait(events)
#define sdram_read1(address) (*(const u32x2*)(address))
#define sdram_read2(address) (*(const u32x4*)(address))
#define sdram_read4(address) (*(const u32x8*)(address))
