// What a chip file can choose of a match unit besides its figures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace nplab::simulator::match {

// Where counters and time stamps are; the default first.
enum class StateIn : std::uint8_t {
  kEntries,  // with their rules in DRAM: a match changes the line
  kChip,     // beside the engine: only rule updates change lines
};
inline std::vector<std::string> choice_words(StateIn) {
  return {"entries", "chip"};
}

// Which lines that came from memory enter the cache; the default first.
enum class Allocation : std::uint8_t {
  kEvery,
  kWritten,  // those that were changed
};
inline std::vector<std::string> choice_words(Allocation) {
  return {"every", "written"};
}

// What happens to reads of a line that wait while the line is written; the default first.
enum class StaleReads : std::uint8_t {
  kCancelled,  // they get the written line, and memory is not asked if it was not yet
  kRepeated,   // they are looked up again when memory has answered
};
inline std::vector<std::string> choice_words(StaleReads) {
  return {"cancelled", "repeated"};
}

}  // namespace nplab::simulator::match
