// How two ranges of a field lie to each other.
#pragma once

#include "workloads/base/field.h"

namespace nplab::workloads {

// Is every value of `inner` one of `outer`?
constexpr bool contains(const Range& outer, const Range& inner) {
  return outer.low <= inner.low && inner.high <= outer.high;
}

// Is any value one of both?
constexpr bool overlap(const Range& a, const Range& b) {
  return a.low <= b.high && b.low <= a.high;
}

}  // namespace nplab::workloads
