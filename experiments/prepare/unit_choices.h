// `--unit NAME=FILE.so[,KEY=VALUE...]`: modules of the user's on the chip's SRAM bus.
#pragma once

#include <string>
#include <vector>

#include "experiments/prepare/experiment.h"
#include "simulator/parameters/chip_description.h"
#include "simulator/systemc/simulate.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// Reads the options' values. What is not written so is reported.
std::vector<simulator::UnitChoice> parse_units(const std::vector<std::string>& units,
                                               Diagnostics& diagnostics);

// Checks the units of runs on `chips`: each is a library with a unit for a device of one of the
// chips at least, and no device is without one.
void check_units(const std::vector<std::string>& units,
                 const std::vector<const simulator::ChipDescription*>& chips,
                 Diagnostics& diagnostics);

// What the mapping places in a device's range it must have pinned there, and entirely: anything
// else would reach the device by accident.
void check_device_ranges(const Experiment& experiment, Diagnostics& diagnostics);

}  // namespace nplab::experiments
