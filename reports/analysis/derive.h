// Every figure of a run record that is computed and not counted, from integer counts and clock
// figures. Nothing else computes them, so that the record, the text reports and the plots agree to
// the last digit.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "reports/record/run_record.h"

namespace nplab::reports {

// 100 x part / total, in percent; 0 for a total of 0. Full precision: texts round it to one decimal
// (the published tables truncate theirs).
double percentage(Count part, Count total);

// cycles / clock, in seconds.
double seconds(Count cycles, Count hz);

// Instructions executed in a simulated second, in millions: instructions / (cycles / core_hz) /
// 10^6.
double mips(Count instructions, Count cycles, Count core_hz);

// Access rate of a memory as published, in Mb/s: the share of cycles in which its bus was active x
// its peak rate.
double active_mbps(Count active_cycles, Count cycles, double peak_mbps);

// Data moved by a memory, in Mb/s: longwords x 32 bits / simulated time.
double transferred_mbps(Count longwords, Count cycles, Count core_hz);

// Wire rate in Mb/s: each frame counts (its bytes + 12 of gap) x 8 bits, over the time from
// `first_start`, the first start of packet of that direction, to the cycle `stop`. `frame_bytes` is
// the sum over `frames`, with FCS. 0 when there was no start of packet.
double wire_mbps(Count frames, Count frame_bytes, std::optional<Count> first_start, Count stop,
                 Count core_hz);

// Nearest-rank percentiles of packet latencies in cycles; all 0 when there are none.
PacketLatencyRecord summarise_latencies(std::vector<Count> latencies);

// Fills every computed figure of `record` from its counts, `clocks`, `first_start_cycle`, the
// memories' active cycles and peaks, and `host.simulation_s`. A port's rates count from the same
// start as the chip's, so that they add up.
void fill_derived(RunRecord& record);

}  // namespace nplab::reports
