#include "tools/options/throughput_options.h"

#include <CLI/CLI.hpp>

namespace nplab::tools {

void add_throughput_options(CLI::App& command, ThroughputOptions& options) {
  const char* group = "Throughput";
  auto* wanted = command
                     .add_flag("--throughput", options.wanted,
                               "search for the highest constant rate, the same on every port, "
                               "without more loss than --loss (RFC 2544: line rate first, then "
                               "bisection), and report the run at it")
                     ->group(group);
  for (const char* other : {"--arrival", "--drain"})
    wanted->excludes(command.get_option(other));
  command
      .add_option("--loss", options.search.allowed_loss_pct,
                  "packets that may be lost for want of room, in percent of the offered ones [0]")
      ->check(CLI::Range(0.0, 100.0))
      ->needs(wanted)
      ->type_name("PCT")
      ->group(group);
  command
      .add_option("--resolution", options.search.resolution_pct,
                  "how near the rate is found, in percent of the line rate, 0.1 to 50 [1]")
      ->check(CLI::Range(0.1, 50.0))
      ->needs(wanted)
      ->type_name("PCT")
      ->group(group);
}

}  // namespace nplab::tools
