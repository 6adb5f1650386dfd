// What a record says of a memory that is DDR4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/record/counts.h"

namespace nplab::reports {

// One channel of a DDR4 memory. Reads and writes are bursts whose data passed its bus.
struct DramChannel {
  Count reads = 0;
  Count writes = 0;
  Count row_hits = 0;          // their row was open
  Count row_misses = 0;        // their bank was closed
  Count row_conflicts = 0;     // another row of their bank was closed for them
  Count from_write_queue = 0;  // reads that waiting writes answered
  Count merged_writes = 0;     // writes to a burst that waited to be written
  Count write_batches = 0;
  Count waiting_reads = 0;  // bursts, at the stop
  Count waiting_writes = 0;
  Count data_clocks = 0;   // in which the data bus was taken
  CountByName commands{};  // issued, by the standard's names
  double row_hit_pct = 0;  // of reads and writes
  double bus_pct = 0;      // of the run's clocks
  bool operator==(const DramChannel&) const = default;
};

// The SDRAM where it is DDR4. Clocks are the memory's; everything else of a record is in core
// cycles.
struct DramRecord {
  std::string memory;  // `sdram`
  std::string model;
  std::string speed;
  Count memory_clocks = 0;  // in so many
  Count core_cycles = 0;
  Count clocks = 0;            // of the run
  Count clocks_per_burst = 0;  // of the data bus
  Count bursts_read = 0;       // that references asked for
  Count bursts_written = 0;
  std::vector<DramChannel> channels;
  double row_hit_pct = 0;
  double bus_pct = 0;  // mean of the channels
  bool operator==(const DramRecord&) const = default;
};

}  // namespace nplab::reports
