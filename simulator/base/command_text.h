// A command as reports and the state hash see it.
#pragma once

#include <string>

#include "simulator/base/command.h"
#include "simulator/base/state_hash.h"

namespace nplab::simulator {

// "sram_read of 4 at 0x100 by engine 2 thread 1, word 17, issued in cycle 1234".
std::string to_text(const Command& command);

void add_to(StateHash& hash, const Command& command);

}  // namespace nplab::simulator
