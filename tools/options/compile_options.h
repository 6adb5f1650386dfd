// The compiler's options as the command line spells them, shared by cc and exec.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "support/bounded_work.h"
#include "support/diagnostics.h"

namespace CLI {
class App;
}  // namespace CLI

namespace nplab::tools {

// Bounds of compiling or assembling, as options of cc, exec and as.
struct BoundWords {
  std::uint64_t seconds = 60;
  std::uint64_t mebibytes = 2048;

  [[nodiscard]] WorkBounds bounds() const { return {std::chrono::seconds(seconds), mebibytes}; }
};

void add_bound_options(CLI::App& command, BoundWords& words);

// The same for the programs of a mapping: --compile-time-limit and --compile-memory-limit.
void add_program_bound_options(CLI::App& command, WorkBounds& bounds, const std::string& group);

struct CompileOptionWords {
  std::string optimization = "2";
  std::vector<std::string> defines;
  std::vector<std::string> include_folders;
  std::vector<std::string> remarks;  // pass, pass=REGEX, pass-missed, pass-missed=REGEX
  bool debug = true;                 // -g is accepted; line numbers are always kept
  BoundWords bounds;
};

void add_compile_options(CLI::App& command, CompileOptionWords& words);

// Reports an unknown level and remarks that do not exist. The engines' library and microengine.h
// are always found.
std::optional<compiler::CompileOptions> compile_options_of(const CompileOptionWords& words,
                                                           Diagnostics& diagnostics);

// The compiler's warnings, and remarks that were asked for, as lines for standard error.
std::string messages_text(const compiler::CompileReport& report);

}  // namespace nplab::tools
