// How a program is to be compiled.
#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "isa/program_image.h"
#include "support/bounded_work.h"
#include "support/content_cache.h"

namespace nplab::compiler {

// kPublished is the fixed pipeline of the published runs (docs/decisions): values in registers and
// simplified, everything inlined; no bursts formed, no if-conversion, no slots filled.
enum class Optimization { kO0, kO1, kO2, kOs, kPublished };

// Bytes that stay free at address 0 of every memory, so that nothing has the address of a null
// pointer: a quadword.
inline constexpr std::uint32_t kNullBytes = 8;

// Where locals live that do not fit in registers. The frames of the contexts lie one after the
// other, each the power of two that holds what the program needs, at most bytes_per_thread. A value
// there costs a reference each time.
struct FrameArea {
  isa::MemorySpace space =
      isa::MemorySpace::kScratch;  // also what plain (unqualified) pointers address
  std::uint32_t base = 0;          // byte address, of a longword (SDRAM: quadword)
  std::uint32_t bytes_per_thread = 256;
  unsigned contexts = 4;  // of the engine
};

enum class MachineVerifier { kOff, kOn };

// Whether the image says where variables are (isa/variable_table.h), for debuggers. The words are
// the same.
enum class VariableRecord { kNone, kKept };

// How often a line of source was executed: instructions of it, over all threads, for each word it
// became.
struct LineCount {
  std::string file;  // the end of its path is enough
  int line = 0;
  std::uint64_t count = 0;
};

// Whose remarks are wanted, by the names of passes, ours (microengine-merge-reads) and LLVM's
// (inline): as -Rpass and -Rpass-missed of Clang. None: nobody's.
struct RemarkFilter {
  std::optional<std::regex> passed;  // what was done
  std::optional<std::regex> missed;  // what was not, and why
};

struct CompileOptions {
  Optimization optimization = Optimization::kO2;
  std::vector<std::string> include_directories;
  std::vector<std::string> defines;  // NAME or NAME=VALUE
  std::uint32_t control_store_words = 65536;
  FrameArea frame;
  isa::DataBases data;             // where initialised variables of each memory go (compile only)
  std::vector<LineCount> profile;  // of an earlier run; empty: branches are weighed by heuristics
  RemarkFilter remarks;
  VariableRecord variables = VariableRecord::kNone;
  std::optional<ContentCache> cache;               // of compiled programs; changes no result
  WorkBounds bounds;                               // of compiling; what takes more is refused
  MachineVerifier verify = MachineVerifier::kOff;  // LLVM's verifier after every pass: for tests
};

}  // namespace nplab::compiler
