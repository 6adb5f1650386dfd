#include "experiments/prediction/unit_service.h"

#include <algorithm>

namespace nplab::experiments {
namespace {

using isa::Operation;

template <class Bus>
double data_cycles(const Bus& bus, unsigned bytes) {
  const auto transfers = (bytes + bus.bus_bytes - 1) / bus.bus_bytes;
  return static_cast<double>(transfers * bus.bus_cycles);
}

double sram_cycles(const simulator::SramDescription& sram, Operation operation,
                   unsigned longwords) {
  switch (operation) {
    case Operation::kSramUnlock: return 0;
    case Operation::kSramBitWr:
      return 2 * data_cycles(sram, 4) + sram.read_occupancy + sram.write_occupancy +
             sram.turn_around;
    case Operation::kSramWrite:
    case Operation::kSramWriteUnlock:
    case Operation::kSramPush: return data_cycles(sram, 4 * longwords) + sram.write_occupancy;
    default: return data_cycles(sram, 4 * longwords) + sram.read_occupancy;
  }
}

double processor_cycles(const simulator::ChipDescription& chip, Operation operation,
                        unsigned longwords) {
  switch (operation) {
    case Operation::kScratchIncr:
    case Operation::kScratchBitWr: return data_cycles(chip.scratch, 4) + chip.scratch.modify_cycles;
    case Operation::kScratchRead:
    case Operation::kScratchWrite: return data_cycles(chip.scratch, 4 * longwords);
    case Operation::kRFifoRd:
    case Operation::kTFifoWr: return longwords * chip.fbi.fifo_longword_cycles;
    case Operation::kHash48:
    case Operation::kHash64: return longwords / 2.0 * chip.fbi.hash_cycles;
    default: return chip.fbi.csr_cycles;
  }
}

bool writes(Operation operation) {
  switch (operation) {
    case Operation::kSramWrite:
    case Operation::kSramWriteUnlock:
    case Operation::kSramBitWr:
    case Operation::kSramPush:
    case Operation::kSdramWrite:
    case Operation::kSdramRFifoRd:
    case Operation::kScratchWrite: return true;
    default: return false;
  }
}

}  // namespace

std::size_t unit_of(isa::Unit unit) {
  switch (unit) {
    case isa::Unit::kSram: return kSram;
    case isa::Unit::kSdram: return kSdram;
    case isa::Unit::kScratch: return kScratch;
    default: return kFbi;
  }
}

UnitDemand service_of(const simulator::ChipDescription& chip, Operation operation,
                      unsigned longwords) {
  const double write = writes(operation) ? 1 : 0;
  switch (operation) {
    case Operation::kSramRead:
    case Operation::kSramWrite:
    case Operation::kSramReadLock:
    case Operation::kSramWriteUnlock:
    case Operation::kSramUnlock:
    case Operation::kSramBitWr:
    case Operation::kSramPush:
    case Operation::kSramPop: return {1, sram_cycles(chip.sram, operation, longwords), write};
    case Operation::kSdramRead:
    case Operation::kSdramWrite:
    case Operation::kSdramRFifoRd:
    case Operation::kSdramTFifoWr:
      return {1, data_cycles(chip.sdram, 4 * longwords) + chip.sdram.reference_occupancy, write};
    default: return {1, processor_cycles(chip, operation, longwords), write};
  }
}

double turn_around(const simulator::ChipDescription& chip, std::size_t unit) {
  if (unit == kSram)
    return chip.sram.turn_around;
  return unit == kSdram ? chip.sdram.turn_around : 0;
}

double same_bank_wait(const simulator::SdramDescription& sdram, double bus_cycles) {
  const double precharged = std::max<double>(sdram.t_ras, sdram.t_rcd + bus_cycles) + sdram.t_rp;
  return std::max(0.0, std::max<double>(precharged, sdram.t_rc) - bus_cycles);
}

double free_latency(const simulator::ChipDescription& chip, std::size_t unit) {
  // A command is granted in the cycle after its issue.
  const double bus = 1 + chip.command_bus.latency;
  if (unit == kSram)
    return bus + chip.sram.pipeline_latency + data_cycles(chip.sram, 4) + chip.sram.push_latency;
  if (unit == kSdram)
    return bus + chip.sdram.pipeline_latency + chip.sdram.reference_occupancy +
           data_cycles(chip.sdram, 8) + chip.sdram.push_latency;
  return bus + chip.scratch.pipeline_latency + data_cycles(chip.scratch, 4) +
         chip.scratch.push_latency;
}

}  // namespace nplab::experiments
