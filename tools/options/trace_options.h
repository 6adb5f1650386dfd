// Command-line options for traces and timelines.
#pragma once

#include <string>
#include <vector>

#include "experiments/run/trace_output.h"

namespace CLI {
class App;
}  // namespace CLI

namespace nplab::tools {

void add_trace_options(CLI::App& command, experiments::TraceOptions& options);
void add_timeline_option(CLI::App& command, std::vector<std::string>& timeline);

}  // namespace nplab::tools
