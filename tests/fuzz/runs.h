// A run of a program of which nothing is known, on a chip of which as little.
#pragma once

#include "simulator/run/simulation.h"

namespace nplab::test {

// On the first two engines and all their contexts, with frames arriving on the ports, for so many
// cycles or until a fault. Throws when a sum of the counters does not hold.
simulator::SimulationResult run_hostile(const simulator::ChipDescription& chip,
                                        const isa::ProgramImage& image, simulator::Cycles cycles);

}  // namespace nplab::test
