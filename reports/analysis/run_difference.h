// Why one run differs from another: differences by cause, engine and source line, greatest first.
#pragma once

#include <string>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// What `diff` says in sentences, without the verdict (verdict.h): how the rates change, why
// (difference_causes.h), and what the memories do for a packet.
std::vector<std::string> difference_sentences(const RunRecord& before, const RunRecord& after);

struct DifferenceOptions {
  std::size_t most_rows = 10;  // of each ranking
};

// In sentences: how transmit and receive change (thousand packets/s, from the first start of packet
// to the stop); which run is better and what bounds each (verdict.h); what the memories do for a
// packet sent (references, longwords, active share); then rankings of engine cycles by engine and
// state, of thread cycles by what is waited for, and of cycles by source line, each a packet sent
// and the greatest difference first. Lines are matched by file and text, so that code that moved is
// not a difference; generated programs of different mappings are matched by their engine. Runs that
// sent nothing are compared a packet received, and runs without packets a thousand cycles.
std::string render_difference(const RunRecord& before, const RunRecord& after,
                              const DifferenceOptions& options);

}  // namespace nplab::reports
