// Who has the modules of a match unit work, in the place of the unit itself.
#pragma once

#include "simulator/base/time.h"

namespace nplab::simulator::match {

class CycleRunner {
 public:
  virtual ~CycleRunner() = default;
  // Has every module step through cycle `now` once, in any order, and returns when all have.
  virtual void work_through(Cycle now) = 0;
};

}  // namespace nplab::simulator::match
