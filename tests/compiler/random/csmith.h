// What programs of csmith include, for our compiler and for the reference alike, in place of
// csmith's own csmith.h: no library, and a checksum that is cheap on a machine without
// multiplication and tables.
#pragma once

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;

#define CHAR_BIT 8
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295u
#define INT64_MIN (-9223372036854775807ll - 1)
#define INT64_MAX 9223372036854775807ll
#define UINT64_MAX 18446744073709551615ull
#define INT_MIN INT32_MIN
#define INT_MAX INT32_MAX
#define UINT_MAX UINT32_MAX

// The functions on floating point of safe_math.h are never called.
#define FLT_MAX 0
#define DBL_MAX 0
#define fabsf(value) (value)
#define fabs(value) (value)
#define INFINITY 0
#define STATIC static
#define UNDEFINED(value) (value)
#define LOG_INDEX
#define LOG_EXEC
#define FUNC_NAME(name) (safe_##name)
#include "safe_math.h"
#undef FUNC_NAME

static uint32_t crc32_context = 0xffffffff;
static void crc32_gentab(void) {}

static void transparent_crc(uint64_t value, char* name, int print) {
  crc32_context = (crc32_context << 5 | crc32_context >> 27) ^ (uint32_t)value;
  crc32_context = (crc32_context << 7 | crc32_context >> 25) + (uint32_t)(value >> 32);
}

#ifdef __microengine__
#include <microengine.h>
#define platform_main_begin()
#define platform_main_end(sum, print) console_hex(sum)
#define printf(...) ((void)0)  // only ever behind `if (print)`
#define memset __builtin_memset
#define memcpy __builtin_memcpy
#else
int printf(const char*, ...);
void* memset(void*, int, unsigned);
void* memcpy(void*, const void*, unsigned);
#define platform_main_begin()
#define platform_main_end(sum, print) printf("0x%08x\n", sum)
#endif
