// Bandwidth and latency of a DRAM under a closed loop: a requester keeps a number of requests in
// flight and issues the next as soon as one is done. A write is done when the controller has taken
// it, a read when its data have come. One request is issued per clock.
#pragma once

#include <cstdint>

#include "simulator/dram/dram_memory.h"

namespace nplab::simulator::dram {

struct SyntheticLoad {
  unsigned in_flight = 64;
  unsigned write_percent = 50;
  // Of the requests that go to the burst after the one before; the others go anywhere.
  unsigned sequential_percent = 0;
  std::uint64_t seed = 1;
  std::uint64_t warm_up = 20'000;    // requests before anything is counted
  std::uint64_t requests = 200'000;  // that are counted
};

struct LoadResult {
  std::uint64_t clocks = 0;
  std::uint64_t requests = 0;
  double peak_percent = 0;         // data moved between requester and memory / peak of all channels
  double bus_percent = 0;          // clocks in which the data buses were taken
  double row_hit_percent = 0;      // of the bursts that were moved
  double read_latency_clocks = 0;  // mean, arrival to the end of the data
  double megarequests_per_s = 0;
  double gigabytes_per_s = 0;
};

// `fifteenths` / 15 GHz is the memory's clock.
LoadResult run_load(DramMemory& memory, const SyntheticLoad& load, unsigned fifteenths);

}  // namespace nplab::simulator::dram
