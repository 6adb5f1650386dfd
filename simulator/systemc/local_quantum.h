// How far a chip runs ahead of the kernel's time: the rules of TLM-2.0's quantum keeper, in cycles.
// Chips give control back at multiples of the quantum, so that all chips of one quantum do at the
// same times.
#pragma once

#include <algorithm>
#include <string>

#include "simulator/base/time.h"

namespace nplab::systemc {

class LocalQuantum {
 public:
  explicit LocalQuantum(simulator::Cycles cycles)
      : cycles_(std::max<simulator::Cycles>(cycles, 1)) {}

  [[nodiscard]] simulator::Cycles cycles() const { return cycles_; }
  // The next cycle after `now` at which control is given back.
  [[nodiscard]] simulator::Cycle next_after(simulator::Cycle now) const {
    return simulator::Cycle((now.number() / cycles_ + 1) * cycles_);
  }
  // An access came that was known only `notice` cycles before its own. Whether the quantum had to
  // be shortened.
  bool shorten_to(simulator::Cycles notice) {
    const simulator::Cycles shorter = std::max<simulator::Cycles>(notice, 1);
    if (shorter >= cycles_)
      return false;
    cycles_ = shorter;
    return true;
  }

 private:
  simulator::Cycles cycles_;
};

}  // namespace nplab::systemc
