#include "experiments/prediction/demand.h"

#include <algorithm>

namespace nplab::experiments {

Demand& Demand::operator+=(const Demand& other) {
  cycles += other.cycles;
  aborted += other.aborted;
  dispatches += other.dispatches;
  burst_squares += other.burst_squares;
  delay += other.delay;
  for (std::size_t unit = 0; unit < kUnits; ++unit) {
    units[unit].references += other.units[unit].references;
    units[unit].joined += other.units[unit].joined;
    units[unit].bus_cycles += other.units[unit].bus_cycles;
    units[unit].writes += other.units[unit].writes;
  }
  return *this;
}

Demand& Demand::operator*=(double factor) {
  cycles *= factor;
  aborted *= factor;
  dispatches *= factor;
  burst_squares *= factor;
  delay *= factor;
  for (UnitDemand& unit : units) {
    unit.references *= factor;
    unit.joined *= factor;
    unit.bus_cycles *= factor;
    unit.writes *= factor;
  }
  return *this;
}

Demand at_least_zero(Demand demand) {
  for (double* value :
       {&demand.cycles, &demand.aborted, &demand.dispatches, &demand.burst_squares, &demand.delay})
    *value = std::max(0.0, *value);
  for (UnitDemand& unit : demand.units) {
    unit.references = std::max(0.0, unit.references);
    unit.joined = std::clamp(unit.joined, 0.0, unit.references);
    unit.bus_cycles = std::max(0.0, unit.bus_cycles);
    unit.writes = std::max(0.0, unit.writes);
  }
  return demand;
}

}  // namespace nplab::experiments
