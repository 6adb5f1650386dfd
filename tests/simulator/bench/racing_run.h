// Runs of racing programs on several engines, with packets, on chips of all kinds.
#pragma once

#include <cstdint>
#include <random>

#include "simulator/parameters/chip_description.h"
#include "tests/simulator/bench/mode_comparison.h"

namespace nplab::test {

// One in three keeps the shipped chip's figures; the others draw them, so that windows have all
// kinds of bounds.
simulator::ChipDescription racing_chip(std::mt19937_64& random);

// On a racing_chip. One seed in four draws programs that may fault; one in five stops at a packet;
// all stop before `cycles`.
PreparedRun racing_run(std::uint64_t seed, std::uint64_t cycles);

// The same of programs that wait for all that arrives.
PreparedRun waiting_run(std::uint64_t seed, std::uint64_t cycles);

}  // namespace nplab::test
