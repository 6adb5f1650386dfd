// The functions that a thread is in: copies that were inlined into one another, and functions that
// were called, whose return addresses are in registers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/debugging/machine_reader.h"
#include "experiments/debugging/program_lines.h"

namespace nplab::experiments {

struct CallFrame {
  std::string function;                  // empty: not known, as of assembly
  LinePlace place;                       // the line that it executes, or that it calls from
  std::uint32_t word = 0;                // of an outer frame: of the call, or of the inlined code
  std::optional<std::uint32_t> scope{};  // the innermost block or function, of the image's scopes
  bool is_calling = false;               // a function that was called has not returned
};

// Of a thread that is about to execute the word, the innermost first; at least one.
std::vector<CallFrame> call_frames(const DebugTarget& target, unsigned engine, std::uint32_t word,
                                   const ReadRegister& read);

// Where a thread that is about to execute the word has left its innermost function. Nothing: there
// is no function around that one.
std::optional<std::vector<std::uint32_t>> words_outside(const isa::ProgramImage& image,
                                                        std::uint32_t word,
                                                        const ReadRegister& read);

}  // namespace nplab::experiments
