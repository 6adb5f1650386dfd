#include "simulator/memory/sdram_models.h"

#include <array>

#include "simulator/memory/ddr4_unit.h"
#include "simulator/memory/sdram_unit.h"

namespace nplab::simulator {
namespace {

using MakeSdram = std::unique_ptr<SdramMemory> (*)(const ChipDescription& chip);

// By SdramModel.
constexpr std::array<MakeSdram, 2> kMakers{
    [](const ChipDescription& chip) -> std::unique_ptr<SdramMemory> {
      return std::make_unique<SdramUnit>(chip.sdram);
    },
    [](const ChipDescription& chip) -> std::unique_ptr<SdramMemory> {
      return std::make_unique<Ddr4Unit>(chip.sdram, chip.clock.core_hz);
    },
};

}  // namespace

std::unique_ptr<SdramMemory> make_sdram(const ChipDescription& chip) {
  return kMakers[static_cast<std::size_t>(chip.sdram.model)](chip);
}

}  // namespace nplab::simulator
