// What a piece of code demands of the chip each time it runs, on average.
#pragma once

#include <array>
#include <cstddef>

namespace nplab::experiments {

// The units that threads refer to. `fbi`: its registers, FIFOs and hash unit, which share one
// command processor with scratch.
inline constexpr std::size_t kSram = 0, kSdram = 1, kScratch = 2, kFbi = 3, kUnits = 4;
inline constexpr std::array<const char*, kUnits> kUnitNames = {"sram", "sdram", "scratch", "fbi"};

struct UnitDemand {
  double references = 0;
  double bus_cycles = 0;  // that they occupy the unit, without turning the bus around
  double writes = 0;      // of the references
  double joined = 0;      // of the references: while the thread has another one under way there
};

// Cycles are core cycles.
struct Demand {
  double cycles = 0;         // of the engine: executed and aborted
  double aborted = 0;        // of these
  double dispatches = 0;     // how often the thread gets the engine
  double burst_squares = 0;  // sum of the squares of the cycles that it keeps it
  double delay = 0;          // of the thread, for references that nothing else delays
  std::array<UnitDemand, kUnits> units{};

  Demand& operator+=(const Demand& other);
  Demand& operator*=(double factor);
};

inline Demand operator+(Demand a, const Demand& b) {
  return a += b;
}
inline Demand operator*(Demand demand, double factor) {
  return demand *= factor;
}
inline Demand operator-(Demand a, const Demand& b) {
  return a += b * -1;
}

// No part below 0: what a difference of two measurements may give by chance.
Demand at_least_zero(Demand demand);

}  // namespace nplab::experiments
