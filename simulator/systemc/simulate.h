// A run on the SystemC kernel: a platform of one chip, whose frames come from the inputs.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "simulator/run/simulation.h"
#include "support/diagnostics.h"

namespace nplab::simulator {

// A module of the user's for the device of this name in the chip's file (sram.device0, ...).
struct UnitChoice {
  std::string name;
  std::string file;  // a shared library
  std::map<std::string, std::string> parameters;
};

// Loads the library and looks whether it has a unit; otherwise reports why not.
bool check_unit(const UnitChoice& choice, Diagnostics& diagnostics);

// As simulate, on the kernel, with a unit for each device of the chip. Choices that name none are
// left out.
SimulationResult simulate_with_units(const SimulationInputs& inputs,
                                     const std::vector<UnitChoice>& units);

// Where a process simulates one platform after another: before a platform is built. The kernel
// counts its time in femtoseconds from then on.
void begin_platform();

// Full names of all modules, ports and exports of the present platform, sorted.
std::vector<std::string> platform_hierarchy();

}  // namespace nplab::simulator
