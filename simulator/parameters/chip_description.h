// A chip as its YAML file describes it: parsed, checked, immutable. Cycles are core cycles, sizes
// bytes, unless the name says otherwise. What each figure rests on stands beside it in
// chips/*.yaml.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/arbitration/policies.h"
#include "simulator/base/time.h"
#include "simulator/base/unit_queues.h"
#include "simulator/parameters/fbi_parameters.h"
#include "simulator/parameters/media_parameters.h"
#include "support/diagnostics.h"
#include "support/yaml.h"

namespace nplab::simulator {

struct ClockDescription {
  std::uint64_t core_hz = 0;
  std::uint64_t ix_bus_numerator = 0;  // IX bus clock = core * numerator / denominator
  std::uint64_t ix_bus_denominator = 0;
};

// Instructions aborted by a taken branch of each class, and what a swap costs.
struct PipelineDescription {
  unsigned unconditional_aborts = 0;
  unsigned condition_aborts = 0;
  unsigned condition_aborts_behind_setter =
      0;  // the instruction just before the branch sets the condition codes
  unsigned state_aborts = 0;
  unsigned test_aborts = 0;
  unsigned swap_aborts = 0;
  unsigned wake_up_cycles =
      0;  // engine idle, event seen: idle cycles until the thread's instruction is in P3
  unsigned start_cycles =
      0;  // idle cycles before the first instruction after reset (pipeline fill)
  bool prefetched_kill =
      false;  // ctx_arb[kill] in the aborted shadow of a branch decided in P2 or P3 takes effect
};

struct EngineDescription {
  unsigned engines = 0;
  unsigned contexts = 0;  // of an engine
  std::uint32_t control_store_words = 0;
  unsigned command_fifo_entries = 0;
  DispatchArbiter::Choice arbitration{};  // which ready context is dispatched next
  PipelineDescription pipeline;
};

struct CommandBusDescription {
  unsigned cycles_per_command = 0;   // bus occupancy of one command
  unsigned latency = 0;              // grant to arrival in the unit's queue
  BusArbiter::Choice arbitration{};  // which engine's command is granted next
};

// Every reference arrives in its unit's queue later than the command bus brings it, by a time of
// its own from 0 to `most`, drawn from `seed`; those of one queue keep their order. No chip is so:
// what holds on all seeds depends on no latency.
struct LatencySpreadDescription {
  unsigned most = 0;
  std::uint64_t seed = 0;
};

struct SramDescription {
  std::uint32_t bytes = 0;
  unsigned bus_bytes = 0;       // that pass the bus at once
  unsigned bus_cycles = 0;      // in which they do
  unsigned turn_around = 0;     // between a write and a read, either way
  unsigned read_occupancy = 0;  // bus held by every read reference besides its data
  unsigned write_occupancy = 0;
  unsigned pipeline_latency = 0;  // arrival to first bus cycle, unloaded
  unsigned push_latency = 0;      // last bus cycle of a read to its data in the transfer registers
  unsigned write_completion = 0;  // last bus cycle of a write to its completion event
  QueueSizes<kSramQueues> queues;
  // references waiting in the unit at most, over all queues; 0: the queues alone limit
  unsigned effective_capacity = 0;
  SramArbiter::Choice arbitration{};  // which queue is served next
  unsigned read_group = 0;            // ixp1200: reads in a row before the order queue has its turn
  unsigned locks = 0;                 // entries of the lock CAM
  unsigned free_lists = 0;
};

struct SdramDescription {
  std::uint32_t bytes = 0;
  unsigned bus_bytes = 0;
  unsigned bus_cycles = 0;
  unsigned bank_select_bit = 0;  // address bit that tells odd from even banks
  unsigned turn_around = 0;
  // Every bank is closed behind an access. In the usual names: row activated to data; precharge
  // before the next activation; activated to precharge, at least; between activations of one bank,
  // of different banks.
  unsigned t_rcd = 0, t_rp = 0, t_ras = 0, t_rc = 0, t_rrd = 0;
  unsigned refresh_period = 0;       // 0: no refresh
  unsigned refresh_cycles = 0;       // one refresh of all banks, once they are closed
  unsigned reference_occupancy = 0;  // bus held by every reference besides its data
  unsigned pipeline_latency = 0;
  unsigned push_latency = 0;
  unsigned write_completion = 0;
  QueueSizes<kSdramQueues> queues;
  unsigned effective_capacity = 0;
  SdramArbiter::Choice arbitration{};  // which queue is served next
};

struct ScratchDescription {
  std::uint32_t bytes = 0;
  unsigned bus_bytes = 0;
  unsigned bus_cycles = 0;
  unsigned modify_cycles = 0;  // extra occupancy of increment and bit operations
  unsigned pipeline_latency = 0;
  unsigned push_latency = 0;
  unsigned write_completion = 0;
  QueueSizes<kScratchQueues> queues;
};

struct ChipDescription {
  std::string name;
  ClockDescription clock;
  EngineDescription engine;
  CommandBusDescription command_bus;
  SramDescription sram;
  SdramDescription sdram;
  ScratchDescription scratch;
  FbiParameters fbi;
  MediaParameters media;
  std::optional<LatencySpreadDescription> latency_spread;
};

// IX bus cycles that fit into `core_cycles`.
std::uint64_t ix_bus_cycles(const ClockDescription& clock, Cycles core_cycles);

// Checks a parsed chip file (strict keys, ranges, what depends on what). Reports all errors at once
// and gives nothing when there is one.
std::optional<ChipDescription> read_chip(const yaml::Node& root, Diagnostics& diagnostics);

}  // namespace nplab::simulator
