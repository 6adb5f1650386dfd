// Stands in for the engine's microengine.h where tasks are compiled for the host: memories lie at the host's own addresses.
#pragma once

typedef unsigned int u32;
#define __sram
#define __sdram
#define __scratch
