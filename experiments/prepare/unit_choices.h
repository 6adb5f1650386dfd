// `--unit NAME=FILE.so[,KEY=VALUE...]`: modules of the user's on the chip's SRAM bus. `--set
// unit.NAME.KEY=VALUE` gives a parameter another value, which a study can vary.
#pragma once

#include <string>
#include <vector>

#include "experiments/prepare/experiment.h"
#include "experiments/prepare/experiment_options.h"
#include "simulator/parameters/chip_description.h"
#include "simulator/systemc/simulate.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// Reads the options' values. What is not written so is reported.
std::vector<simulator::UnitChoice> parse_units(const ExperimentOptions& options,
                                               Diagnostics& diagnostics);

// No device of the chip is without a unit, and the unit of each is one.
void check_units(const ExperimentOptions& options, const simulator::ChipDescription& chip,
                 Diagnostics& diagnostics);
// Each unit is for a device of one of the chips at least.
void check_unit_names(const ExperimentOptions& options,
                      const std::vector<const simulator::ChipDescription*>& chips,
                      Diagnostics& diagnostics);

// What the mapping places in a device's range it must have pinned there, and entirely: anything
// else would reach the device by accident. A table that is a device's must lie in one's range.
void check_device_ranges(const Experiment& experiment, Diagnostics& diagnostics);

}  // namespace nplab::experiments
