// What a controller counts.
#pragma once

#include <array>
#include <cstdint>

#include "simulator/base/state_hash.h"
#include "simulator/dram/commands.h"

namespace nplab::simulator::dram {

struct ControllerCounters {
  std::array<std::uint64_t, kDramCommands> commands{};  // issued, by DramCommand
  std::uint64_t reads = 0;                              // bursts that were read and written
  std::uint64_t writes = 0;
  std::uint64_t row_hits = 0;       // of them those whose row was open
  std::uint64_t row_conflicts = 0;  // ... and those for which another row was closed
  std::uint64_t from_write_queue = 0;
  std::uint64_t merged_writes = 0;
  std::uint64_t write_batches = 0;
  std::uint64_t data_clocks = 0;  // in which the data bus was taken

  void add(const ControllerCounters& more) {
    for (unsigned i = 0; i < kDramCommands; ++i)
      commands[i] += more.commands[i];
    reads += more.reads;
    writes += more.writes;
    row_hits += more.row_hits;
    row_conflicts += more.row_conflicts;
    from_write_queue += more.from_write_queue;
    merged_writes += more.merged_writes;
    write_batches += more.write_batches;
    data_clocks += more.data_clocks;
  }
  void hash(StateHash& hash) const {
    hash.add_all(commands);
    hash.add_all(std::array{reads, writes, row_hits, row_conflicts, from_write_queue, merged_writes,
                            write_batches, data_clocks});
  }
};

}  // namespace nplab::simulator::dram
