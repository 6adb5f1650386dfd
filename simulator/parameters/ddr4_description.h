// The DDR4 memory that a chip file describes: what does not fit together in it, and the memory as
// the model takes it.
#pragma once

#include "simulator/dram/dram_memory.h"
#include "simulator/parameters/chip_parameters.h"
#include "support/diagnostics.h"
#include "support/yaml.h"

namespace nplab::simulator {

// Reports what the values of `sdram`, each of which is in its range, contradict each other in, at
// the key at fault.
void check_ddr4(const yaml::Node& root, const SdramDescription& sdram, Diagnostics& diagnostics);

// Of a checked description.
dram::DramDescription dram_description(const SdramDescription& sdram);

}  // namespace nplab::simulator
