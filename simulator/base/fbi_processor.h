// The command processor of the FBI: it executes one command after the other, in the order in which
// they are granted, whether they go to the scratch memory or to registers, FIFOs and hash unit.
#pragma once

#include <algorithm>

#include "simulator/base/time.h"

namespace nplab::simulator {

class FbiProcessor {
 public:
  // A command that is decoded by cycle `ready` begins then, or when those before it are done, and
  // occupies the processor for `occupied` cycles. Gives the cycle in which it begins.
  Cycle begin(Cycle ready, Cycles occupied) {
    const Cycle begins = std::max(ready, free_from_);
    free_from_ = begins + occupied;
    return begins;
  }
  // The first cycle in which it executes nothing that has been granted.
  [[nodiscard]] Cycle free_from() const { return free_from_; }

 private:
  Cycle free_from_;
};

}  // namespace nplab::simulator
