// Random programs for the engine, from a seed: every kind of instruction, branch, token and
// reference. A thread waits for what it uses and, with memory of its own, shares nothing; so what
// it leaves does not depend on time. A seed gives the same program wherever the same compiler built
// the tests.
#pragma once

#include <cstdint>

#include "isa/program_image.h"

namespace nplab::test {

// Where a thread's part of each memory lies; its number is engine * 4 + context.
struct PrivateMemory {
  static constexpr std::uint32_t kSramBytes = 1024, kSdramBytes = 1024, kScratchBytes = 256,
                                 kBlockBytes = 16;
  static constexpr std::uint32_t kFreeBlocks = 0x10000;  // in SRAM, behind all parts
  static constexpr unsigned kBlocks = 4;                 // of a thread

  static constexpr std::uint32_t sram(unsigned thread) { return thread * kSramBytes; }
  static constexpr std::uint32_t sdram(unsigned thread) { return thread * kSdramBytes; }
  static constexpr std::uint32_t scratch(unsigned thread) { return thread * kScratchBytes; }
  static constexpr std::uint32_t block(unsigned thread, unsigned i) {
    return kFreeBlocks + (thread * kBlocks + i) * kBlockBytes;
  }
};

struct RandomProgramOptions {
  std::uint64_t seed = 0;
  unsigned engine = 0;
  unsigned contexts = 1;           // 1 to 4; each has code of its own
  unsigned words_a_context = 200;  // about
  // The one context that uses the registers of the FBI that all share; 4: none does.
  unsigned owner_of_registers = 4;
  // Two free lists a context, 2 * context and the next.
  bool free_lists = false;
  // All threads work on the part of thread 0: what they leave depends on time.
  bool shared_memory = false;
};

// Every context ends with ctx_arb[kill].
isa::ProgramImage random_program(const RandomProgramOptions& options);

}  // namespace nplab::test
