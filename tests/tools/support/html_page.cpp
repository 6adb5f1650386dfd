#include "tests/tools/support/html_page.h"

#include <catch2/catch.hpp>

namespace nplab::tools::testing {

const Report& bv1_report() {
  static const Report report = [] {
    const ScratchFolder folder;
    // Queues so short, and threads so busy with references, that engines stall.
    const Words short_queues{"--no-calibration",
                             "--set",
                             "tuning.poll_yields=0",
                             "--set",
                             "queues.received.poll_cycles=0",
                             "--set",
                             "queues.classified.poll_cycles=0",
                             "--set",
                             "chip.engine.command_fifo_entries=1",
                             "--set",
                             "chip.sram.effective_capacity=1"};
    const Words run{"run",       "bv1",        "--packets",   "300",    "--timeline",
                    "1000-1499", "--timeline", "50000-50999", "--quiet"};
    const Outcome outcome =
        call_nplab(run + short_queues +
                   Words{"--json", folder.file("r.json"), "--html", folder.file("r.html")});
    INFO(outcome.err);
    REQUIRE(outcome.status == 0);
    return Report{read_json(folder.file("r.json")), read_text(folder.file("r.html"))};
  }();
  return report;
}

}  // namespace nplab::tools::testing
