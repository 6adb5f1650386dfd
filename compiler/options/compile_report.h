// What the compiler says about a program besides the result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/diagnostics.h"

namespace nplab::compiler {

// What a function of the source became, wherever it was inlined.
struct FunctionReport {
  std::string name;
  std::uint32_t words = 0;
  std::uint32_t references = 0;
  std::uint32_t bursts = 0;            // references of more than one longword (SDRAM: quadword)
  std::uint32_t filled_slots = 0;      // words executed after branches and context swaps (defer)
  std::uint32_t guessed_branches = 0;  // guess_branch
  std::uint32_t overlapped =
      0;  // references that do not wait themselves: another's wait, or a later ctx_wait, does
  std::uint32_t spills =
      0;  // references that put a value into the frame or fetch it, for want of registers
};

// A function of the source that is called instead of being copied into its callers.
struct CallReport {
  std::string name;
  std::uint32_t places = 0;  // that call it
};

// Registers of a thread that the program uses, of 16 in each bank and 8 in each transfer file.
struct RegistersUsed {
  std::uint32_t bank_a = 0, bank_b = 0;
  std::uint32_t sram_read = 0, sram_write = 0, sdram_read = 0, sdram_write = 0;
};

// What a pass says about a line.
struct Remark {
  SourceLocation location;
  std::string pass;
  std::string message;
  bool missed = false;  // what was not done
};

// What the compiler says about a program besides the result.
struct CompileReport {
  std::vector<Diagnostic> warnings;
  std::vector<Remark> remarks;            // in the order of the passes, without repetitions
  std::vector<FunctionReport> functions;  // by name
  std::vector<CallReport> calls;          // by name
  std::uint32_t words = 0;
  std::uint32_t frame_bytes =
      0;  // of each thread; the contexts take as many times the next power of two of the frame area
  RegistersUsed registers;
  std::uint32_t reserved_registers =
      0;  // of the 32 of a thread, for the frame and for per-engine shared variables
};

}  // namespace nplab::compiler
