// Random programs that keep no rule of good manners: threads share all memory, read transfer
// registers before their data has come and overwrite them while units still want theirs, signal
// each other, lock, hash, receive and transmit as it comes. What they leave depends on every cycle,
// so that they tell two ways of simulating a chip apart.
#pragma once

#include <cstdint>

#include "isa/program_image.h"

namespace nplab::test {

struct RacingProgramOptions {
  std::uint64_t seed = 0;
  unsigned threads = 24;      // of the chip, that may be signalled
  unsigned words = 120;       // about
  bool faults = false;        // a few words and references that are wrong
  bool quick_answers = true;  // sram[unlock] and signals to threads, which come back soonest
  bool waits = false;  // for all that arrives, so that engines go on by themselves between yields
};

// An endless loop, the same for all threads of an engine.
isa::ProgramImage racing_program(const RacingProgramOptions& options);

}  // namespace nplab::test
