// Each program here is compiled twice: by the host's compiler, into the test itself, and by ours.
// Both must return the same. int is 32 bits on both; what depends on byte order or on the width of
// long stays out.
#pragma once
#ifdef __microengine__
#include <microengine.h>
#else
#include <stdint.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
#define __sram
#define __sdram
#define __scratch
#endif

// Mixes a value into a checksum.
static inline u32 mix(u32 sum, u32 value) {
  sum ^= value;
  return (sum << 5 | sum >> 27) + 0x9e3779b9u;
}
static inline u32 mix64(u32 sum, u64 value) {
  return mix(mix(sum, (u32)(value >> 32)), (u32)value);
}
