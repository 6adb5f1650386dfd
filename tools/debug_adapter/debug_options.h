// What is debugged, as options of a command.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/debugging/debug_target.h"
#include "tools/options/compile_options.h"

namespace CLI {
class App;
}  // namespace CLI

namespace nplab::tools {

struct DebugOptions {
  std::string what;  // a mapping, or the file of a program
  experiments::ProgramRunOptions program;
  std::vector<std::string> load;  // as exec's --load
  CompileOptionWords compile;
  experiments::ExperimentOptions experiment;
};

void add_debug_options(CLI::App& command, DebugOptions& options, const std::string& help_of_what);

// All errors at once; what the compiler says goes to standard error.
std::optional<experiments::DebugTarget> debug_target_of(const DebugOptions& options,
                                                        Diagnostics& diagnostics);

}  // namespace nplab::tools
