// The SDRAM unit by the model that the chip file names. Another model is another row here.
#pragma once

#include <memory>

#include "simulator/memory/sdram_memory.h"
#include "simulator/parameters/chip_description.h"

namespace nplab::simulator {

std::unique_ptr<SdramMemory> make_sdram(const ChipDescription& chip);

}  // namespace nplab::simulator
