// What a run's record says of DDR4: the chip's SDRAM, and the memory of a match unit with the unit.
#pragma once

#include "reports/record/run_record.h"
#include "simulator/parameters/chip_description.h"
#include "simulator/run/simulation.h"

namespace nplab::experiments {

// Nothing where the SDRAM is not DDR4.
void fill_dram_record(const simulator::SdramDescription& sdram,
                      const simulator::SimulationResult& result, reports::RunRecord& record);

// Nothing where the run does not use the unit.
void fill_match_record(const simulator::MatchUnitParameters& unit,
                       const simulator::SimulationResult& result, reports::RunRecord& record);

}  // namespace nplab::experiments
