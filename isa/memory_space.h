// The memories of the chip that programs address.
#pragma once

#include <cstdint>

namespace nplab::isa {

enum class MemorySpace : std::uint8_t { kSram, kSdram, kScratch };

}  // namespace nplab::isa
