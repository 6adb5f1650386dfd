// What the command bus and the units tell of references, when someone asks.
#pragma once

#include "simulator/base/command.h"
#include "simulator/base/time.h"

namespace nplab::simulator {

class ReferenceObserver {
 public:
  virtual ~ReferenceObserver() = default;
  // The command bus takes it from its engine's FIFO in cycle `at`.
  virtual void granted(const Command& command, Cycle at) = 0;
  // The unit serves it in cycle `at`; it completes in cycle `done`. Comes once for each that is no
  // fault.
  virtual void served(const Command& command, unsigned longwords, Cycle at, Cycle done) = 0;
};

}  // namespace nplab::simulator
