// Makes a program ready for execution: each word decoded once, operands resolved to register indices.
#pragma once

#include <vector>

#include "isa/program_image.h"
#include "simulator/execution_slot.h"

namespace nplab::simulator {

// One slot a word, and one more behind the last whose routine faults: the program counter left the program. A word that
// no instruction has, or that this chip does not model, becomes a slot whose routine faults.
// A word is outward if anything outside the engine can notice when it is executed, or if it may fault or end a thread.
std::vector<ExecutionSlot> make_control_store(const isa::ProgramImage& program);

}  // namespace nplab::simulator
