// Which cycles a timeline tells one by one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/run/slowest_packet.h"
#include "simulator/observe/run_observer.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

struct NamedRange {
  simulator::CycleRange cycles;
  std::string name;  // may be empty
};

struct TimelineRequest {
  std::vector<NamedRange> ranges;  // in order, each after the one before
  std::optional<simulator::Cycle>
      slowest_before;  // and those around the slowest of the packets sent before it

  [[nodiscard]] bool is_empty() const { return ranges.empty() && !slowest_before; }
};

// What the values of --timeline ask for; the usual cycles when there are none and a page is made.
// What is wrong is reported.
TimelineRequest timeline_request(const std::vector<std::string>& values, bool has_page,
                                 Diagnostics& diagnostics);

// The ranges with those around a packet's stay: all of it, or, when it is long, its two ends.
// Ranges that meet are one. The packet is the slowest of those sent before `slowest_before`.
std::vector<NamedRange> ranges_with(std::vector<NamedRange> ranges, const SlowestPacket::Stay& stay,
                                    simulator::Cycle slowest_before);

}  // namespace nplab::experiments
