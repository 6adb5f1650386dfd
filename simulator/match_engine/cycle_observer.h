// Who looks at a match unit after each of its cycles.
#pragma once

#include "simulator/base/time.h"

namespace nplab::simulator::match {

class MatchEngine;

class CycleObserver {
 public:
  virtual ~CycleObserver() = default;
  // All modules have worked cycle `now` through.
  virtual void cycle_done(MatchEngine& engine, Cycle now) = 0;
};

}  // namespace nplab::simulator::match
