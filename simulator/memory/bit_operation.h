// The atomic bit operations that SRAM and scratch share.
#pragma once

#include <cstdint>

#include "simulator/base/command.h"

namespace nplab::simulator {

// The longword that `command`, a bit operation, makes of `old`.
std::uint32_t modified_bits(const Command& command, std::uint32_t old, std::uint32_t mask);

// Whether the old value goes back to the thread: test_and_set, test_and_clear.
bool returns_old_value(const Command& command);

}  // namespace nplab::simulator
