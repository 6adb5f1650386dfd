// Threads that post random keys to the mailboxes of a match unit and read the answers, soon or
// late, with other references to SRAM before, between and behind. Each thread has a mailbox of its
// own; what they leave depends on every cycle, since they add up what the shared memory holds.
#pragma once

#include <cstdint>

#include "isa/program_image.h"
#include "simulator/run/simulation.h"

namespace nplab::test {

// Where the mailboxes begin.
inline constexpr std::uint32_t kAskedMailboxes = 0x400000;
// Of the keys that are asked for, which have one field, those less than this have a rule.
inline constexpr std::uint32_t kAskedRules = 40;

// An endless loop for each of four contexts of `engine`.
isa::ProgramImage asking_program(std::uint64_t seed, unsigned engine);

// Gives the chip of `inputs` a match unit of random shape, often short of sessions and places, and
// its rules.
void add_match_unit(std::uint64_t seed, simulator::SimulationInputs& inputs);

}  // namespace nplab::test
