#include "experiments/debugging/machine_reader.h"

namespace nplab::experiments {

const char* name_of(isa::MemorySpace space) {
  switch (space) {
    case isa::MemorySpace::kSram: return "sram";
    case isa::MemorySpace::kSdram: return "sdram";
    case isa::MemorySpace::kScratch: return "scratch";
  }
  return "";
}

std::optional<isa::MemorySpace> memory_space_named(const std::string& name) {
  for (const auto space :
       {isa::MemorySpace::kSram, isa::MemorySpace::kSdram, isa::MemorySpace::kScratch})
    if (name == name_of(space))
      return space;
  return std::nullopt;
}

}  // namespace nplab::experiments
