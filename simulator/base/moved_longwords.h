// How much a reference moves.
#pragma once

#include "isa/instruction.h"

namespace nplab::simulator {

// Longwords that a reference moves, as its unit counts them. `count` is the command's: longwords,
// quadwords of SDRAM, and of the free lists' operations the list.
constexpr unsigned moved_longwords(isa::Operation operation, unsigned count) {
  using isa::Operation;
  switch (operation) {
    case Operation::kSdramRead:
    case Operation::kSdramWrite:
    case Operation::kSdramRFifoRd:
    case Operation::kSdramTFifoWr: return 2 * count;
    case Operation::kSramUnlock: return 0;
    case Operation::kSramBitWr: return 2;  // the old value and the new one pass the bus
    case Operation::kSramPush:
    case Operation::kSramPop:
    case Operation::kScratchIncr:
    case Operation::kScratchBitWr:
    case Operation::kFastWr: return 1;
    default: return count;
  }
}

}  // namespace nplab::simulator
