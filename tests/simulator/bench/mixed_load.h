// A load for speed and equality: six engines, 24 threads, about two thirds computing, one in eight
// instructions a reference to one of the three memories, whose data decides branches.
#pragma once

#include "simulator/run/simulation.h"

namespace nplab::test {

simulator::SimulationInputs mixed_load(const simulator::ChipDescription& chip);

}  // namespace nplab::test
