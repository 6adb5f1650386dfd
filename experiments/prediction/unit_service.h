// How long a reference occupies its unit, by the chip file.
#pragma once

#include "experiments/prediction/demand.h"
#include "simulator/observe/run_observer.h"
#include "simulator/parameters/chip_parameters.h"

namespace nplab::experiments {

// The unit of kUnitNames that serves it.
std::size_t unit_of(isa::Unit unit);

// Of one reference: itself, its cycles on the bus, and whether it writes.
UnitDemand service_of(const simulator::ChipDescription& chip, isa::Operation operation,
                      unsigned longwords);

// Cycles between the data of a read and of a write.
double turn_around(const simulator::ChipDescription& chip, std::size_t unit);

// What a reference to the SDRAM bank that was used last waits for it, beyond `bus_cycles` of its
// data, when another one was served just before.
double same_bank_wait(const simulator::SdramDescription& sdram, double bus_cycles);

// From issuing a read of one longword, or quadword, until its thread is ready, when nothing delays
// it.
double free_latency(const simulator::ChipDescription& chip, std::size_t unit);

}  // namespace nplab::experiments
