// What a word of a program costs. All cost a cycle on a real chip; the others are for runs that ask
// what would be if something were free.
#pragma once

#include <cstdint>

namespace nplab::simulator {

enum class WordCost : std::uint8_t {
  kCycle,
  kNothing,  // executed in no time, and nothing is aborted after it
  kAside,    // takes its thread's time, but neither the engine's nor that of a memory's bus
};

}  // namespace nplab::simulator
