// Stands in for the engine's microengine.h where tasks are compiled for the host: memories lie at the host's own addresses.
#pragma once

typedef unsigned int u32;
#define __sram
#define __sdram
#define __scratch

typedef u32 u32x2 __attribute__((vector_size(8), aligned(4)));
typedef u32 u32x4 __attribute__((vector_size(16), aligned(4)));
typedef u32 u32x8 __attribute__((vector_size(32), aligned(4)));
#define sdram_read1(address) (*(const u32x2 *)(address))
#define sdram_read2(address) (*(const u32x4 *)(address))
#define sdram_read4(address) (*(const u32x8 *)(address))
