#include "tools/options/trace_options.h"

#include <CLI/CLI.hpp>

namespace nplab::tools {

void add_trace_options(CLI::App& command, experiments::TraceOptions& options) {
  const char* group = "Output";
  command
      .add_option("--trace", options.file,
                  "write FILE.vcd, a waveform (GTKWave); FILE.json, trace events (Perfetto); "
                  "FILE.kanata, pipeline slots (Konata); or FILE.dram, all commands to a DDR4 "
                  "memory, whatever the cycles (Ramulator 2)")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option(
          "--trace-cycles", options.cycles,
          "first and last cycle of the trace; these cycles run in lockstep in any mode [0-20000]")
      ->type_name("A-B")
      ->group(group);
}

void add_timeline_option(CLI::App& command, std::vector<std::string>& timeline) {
  command
      .add_option("--timeline", timeline,
                  "first and last cycle of a range for which the record and the page have an exact "
                  "timeline, or `slowest`: the cycles around the packet with the highest latency, "
                  "for which the run is repeated up to that packet; repeat the option for later "
                  "ranges; the page shows the rest of the run in intervals [with --html: 0-1999, "
                  "100000-101999 and the slowest packet of the first million cycles]")
      ->type_name("A-B")
      ->take_all()
      ->allow_extra_args(false)
      ->group("Output");
}

}  // namespace nplab::tools
