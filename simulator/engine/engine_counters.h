// What an engine counts, in cycles. Sums are exact: an engine's four states add up to the run's
// cycles, and so do each thread's; the words' executing, aborted and stalled to the engine's, their
// waiting to the threads'; the parts by cause to what they are parts of; what a thread did in idle
// cycles to the engine's idle.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simulator/base/ids.h"
#include "simulator/base/stall_cause.h"
#include "simulator/base/time.h"
#include "simulator/base/wait_cause.h"

namespace nplab::simulator {

[[nodiscard]] Cycles sum_of(std::span<const Cycles> parts);

// Of one control-store word. Aborted cycles are charged to the branch or swap that caused them,
// waiting to the instruction that gave up the engine.
struct WordCounters {
  Cycles executing = 0;
  Cycles aborted = 0;
  Cycles stalled = 0;
  Cycles waiting = 0;
  CyclesByStallCause stalled_on{};
  CyclesByWaitCause waiting_on{};
  isa::Unit unit{};  // that it refers to: the FBI by fast_wr, too; kNone: it is not a reference
  std::uint64_t references = 0;  // sent
  std::uint64_t longwords = 0;   // moved by them
};

inline constexpr unsigned kAbortClasses = 6;

// What a thread did in the idle cycles of its engine.
struct IdleThread {
  CyclesByWaitCause waiting_on{};
  Cycles ready = 0;  // its instruction was on its way to P3
  Cycles off = 0;

  [[nodiscard]] Cycles total() const;
};

struct ThreadCounters {
  Cycles executing = 0;
  Cycles aborted = 0;
  Cycles stalled = 0;
  Cycles ready = 0;
  std::array<Cycles, kEventKinds>
      waiting{};  // by the event's bit number; of several, the lowest still missing
  CyclesByWaitCause waiting_on{};  // the same cycles
  Cycles off = 0;
  IdleThread idle;

  [[nodiscard]] Cycles total() const;
};

struct EngineCounters {
  Cycles executing = 0;
  Cycles aborted = 0;
  Cycles stalled = 0;
  Cycles idle = 0;
  std::array<ThreadCounters, kMostContexts> threads{};
  std::array<Cycles, kAbortClasses> aborted_by{};  // by isa::AbortClass
  CyclesByStallCause stalled_on{};
  std::vector<WordCounters>
      words;  // of the program, and one that catches a program counter that leaves it

  [[nodiscard]] Cycles total() const { return executing + aborted + stalled + idle; }
};

// Whether the sums hold for a run of `cycles`; a text that says which does not, or an empty one.
std::string broken_sum(const EngineCounters& counters, Cycles cycles);

}  // namespace nplab::simulator
