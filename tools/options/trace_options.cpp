#include "tools/options/trace_options.h"

#include <CLI/CLI.hpp>

namespace nplab::tools {

void add_trace_options(CLI::App& command, experiments::TraceOptions& options) {
  const char* group = "What comes out";
  command
      .add_option("--trace", options.file,
                  "write FILE.vcd, a waveform (GTKWave); FILE.json, trace events (Perfetto); or "
                  "FILE.kanata, slots of "
                  "the pipeline (Konata)")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option(
          "--trace-cycles", options.cycles,
          "first and last cycle of the trace; they run in lockstep whatever the mode [0-20000]")
      ->type_name("A-B")
      ->group(group);
}

void add_timeline_option(CLI::App& command, std::vector<std::string>& timeline) {
  command
      .add_option("--timeline", timeline,
                  "cycles, first and last, in which the timeline of the record and the page is "
                  "exact, or `slowest`: "
                  "around the packet that takes longest, for which the run is repeated up to it; "
                  "may be given again "
                  "for later ones; the rest of the run is there in intervals [with --html 0-1999, "
                  "100000-101999 and "
                  "the slowest packet of the first million cycles]")
      ->type_name("A-B")
      ->take_all()
      ->allow_extra_args(false)
      ->group("What comes out");
}

}  // namespace nplab::tools
