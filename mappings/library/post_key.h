// Posts a key to a unit on the SRAM bus: a longword per field, in one burst, maybe followed by the
// packet's length.
#pragma once

#include "microengine.h"
#include "placement.h"

#if DIMENSIONS == 1
#define KEY_WRITE sram_write
#define KEY_AND_LENGTH_WRITE sram_write2
#define KEY_FIELDS field[0]
#elif DIMENSIONS == 2
#define KEY_WRITE sram_write2
#define KEY_AND_LENGTH_WRITE sram_write3
#define KEY_FIELDS field[0], field[1]
#elif DIMENSIONS == 3
#define KEY_WRITE sram_write3
#define KEY_AND_LENGTH_WRITE sram_write4
#define KEY_FIELDS field[0], field[1], field[2]
#elif DIMENSIONS == 4
#define KEY_WRITE sram_write4
#define KEY_AND_LENGTH_WRITE sram_write5
#define KEY_FIELDS field[0], field[1], field[2], field[3]
#elif DIMENSIONS == 5
#define KEY_WRITE sram_write5
#define KEY_AND_LENGTH_WRITE sram_write6
#define KEY_FIELDS field[0], field[1], field[2], field[3], field[4]
#else
#error "a key has 1 to 5 fields"
#endif
// Calls a macro with arguments that are a macro's.
#define KEY_CALL(function, ...) function(__VA_ARGS__)

static inline void post_key(__sram void* mailbox, const u32* field) {
  KEY_CALL(KEY_WRITE, mailbox, KEY_FIELDS);
}

static inline void post_key_and_length(__sram void* mailbox, const u32* field, u32 length) {
  KEY_CALL(KEY_AND_LENGTH_WRITE, mailbox, KEY_FIELDS, length);
}
