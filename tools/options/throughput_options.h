// --throughput and what belongs to it.
#pragma once

#include "experiments/run/throughput.h"
#include "support/diagnostics.h"

namespace CLI {
class App;
}

namespace nplab::tools {

struct ThroughputOptions {
  bool wanted = false;
  experiments::ThroughputSearch search;
};

void add_throughput_options(CLI::App& command, ThroughputOptions& options);

}  // namespace nplab::tools
