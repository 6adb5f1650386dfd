// What an engine counts, in cycles. Sums are exact: an engine's four states add up to the run's cycles, and so do each
// thread's; the words' executing, aborted and stalled to the engine's, their waiting to the threads'.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/ids.h"
#include "simulator/time.h"

namespace nplab::simulator {

// Of one control-store word. Aborted cycles are charged to the branch or swap that caused them, waiting to the
// instruction that gave up the engine.
struct WordCounters {
  Cycles executing = 0;
  Cycles aborted = 0;
  Cycles stalled = 0;
  Cycles waiting = 0;
};

inline constexpr unsigned kEventKinds = 11;  // bits of isa::Event
inline constexpr unsigned kAbortClasses = 6;

struct ThreadCounters {
  Cycles executing = 0;
  Cycles aborted = 0;
  Cycles stalled = 0;
  Cycles ready = 0;
  std::array<Cycles, kEventKinds> waiting{};  // by the event's bit number; of several, the lowest still missing
  Cycles off = 0;

  [[nodiscard]] Cycles total() const;
};

struct EngineCounters {
  Cycles executing = 0;
  Cycles aborted = 0;
  Cycles stalled = 0;
  Cycles idle = 0;
  std::array<ThreadCounters, kMostContexts> threads{};
  std::array<Cycles, kAbortClasses> aborted_by{};  // by isa::AbortClass
  std::vector<WordCounters> words;                 // of the program, and one that catches a program counter that leaves it

  [[nodiscard]] Cycles total() const { return executing + aborted + stalled + idle; }
};

// Whether the sums hold for a run of `cycles`; a text that says which does not, or an empty one.
std::string broken_sum(const EngineCounters& counters, Cycles cycles);

}  // namespace nplab::simulator
