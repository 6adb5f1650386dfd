// Microengine C to assembly, an object or a program image. See README.md for the way through, and
// include/microengine.h for the language's additions.
#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "isa/object_loader.h"
#include "isa/program_image.h"
#include "support/diagnostics.h"

namespace nplab::compiler {

// kPublished is the fixed pipeline of the published runs (docs/decisions): values in registers and simplified,
// everything inlined; no bursts formed, no if-conversion, no slots filled.
enum class Optimization { kO0, kO1, kO2, kOs, kPublished };

// Where locals live that do not fit in registers. The frames of the contexts lie one behind the other, each the
// power of two that holds what the program needs, at most bytes_per_thread. A value there costs a reference each time.
struct FrameArea {
  isa::MemorySpace space =
      isa::MemorySpace::kScratch;  // also what plain (unqualified) pointers address
  std::uint32_t base = 0;          // byte address, of a longword (SDRAM: quadword)
  std::uint32_t bytes_per_thread = 256;
  unsigned contexts = 4;  // of the engine
};

enum class MachineVerifier { kOff, kOn };

// How often a line of source was executed: instructions of it, over all threads, for each word it became.
struct LineCount {
  std::string file;  // the end of its path is enough
  int line = 0;
  std::uint64_t count = 0;
};

// Whose remarks are wanted, by the names of passes, ours (microengine-merge-reads) and LLVM's (inline): as -Rpass and
// -Rpass-missed of Clang. None: nobody's.
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
  isa::DataBases data;  // where initialised variables of each memory go (compile only)
  std::vector<LineCount> profile;  // of an earlier run; empty: branches are weighed by heuristics
  RemarkFilter remarks;
  MachineVerifier verify = MachineVerifier::kOff;  // LLVM's verifier behind every pass: for tests
};

// What a function of the source became, wherever it was inlined.
struct FunctionReport {
  std::string name;
  std::uint32_t words = 0;
  std::uint32_t references = 0;
  std::uint32_t bursts = 0;            // references of more than one longword (SDRAM: quadword)
  std::uint32_t filled_slots = 0;      // words executed behind branches and context swaps (defer)
  std::uint32_t guessed_branches = 0;  // guess_branch
  std::uint32_t overlapped = 0;        // references that do not wait themselves: another's wait, or a later ctx_wait, does
  std::uint32_t spills = 0;            // references that put a value into the frame or fetch it, for want of registers
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
  std::uint32_t words = 0;
  std::uint32_t frame_bytes = 0;         // of each thread; the contexts take as many times the next power of two of the frame area
  RegistersUsed registers;
  std::uint32_t reserved_registers = 0;  // of the 32 of a thread, for the frame and for per-engine shared variables
};

// `source` is the text, `file` its name in diagnostics and line tables. Nothing is returned when the program is wrong
// or does not fit; `diagnostics` then says why, with FILE:LINE:COLUMN.
std::optional<std::string> compile_to_assembly(const std::string& source, const std::string& file,
                                               const CompileOptions& options, Diagnostics& diagnostics,
                                               CompileReport* report = nullptr);

// The bytes of an ELF object (isa/object_loader.h reads it).
std::optional<std::string> compile_to_object(const std::string& source, const std::string& file,
                                             const CompileOptions& options, Diagnostics& diagnostics,
                                             CompileReport* report = nullptr);

// Compiled, linked by itself, ready to load.
std::optional<isa::ProgramImage> compile(const std::string& source, const std::string& file,
                                         const CompileOptions& options, Diagnostics& diagnostics,
                                         CompileReport* report = nullptr);

}  // namespace nplab::compiler
