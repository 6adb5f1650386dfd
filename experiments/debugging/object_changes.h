// What of the chip is to be changed so that an object of C gets another value.
#pragma once

#include <variant>
#include <vector>

#include "experiments/debugging/change.h"
#include "experiments/debugging/program_object.h"

namespace nplab::experiments {

// For a number, an enumeration or a pointer, which takes as many of the value's lowest bits as it
// has. Registers are the thread's that the reader is for: whoever asks says which. No value:
// nothing holds just this object, as when it is a constant, or computed from others.
std::variant<std::vector<Change>, NoValue> changes_to(const Types& types,
                                                      const ProgramObject& object,
                                                      std::uint64_t value,
                                                      const MachineReader& reader);

}  // namespace nplab::experiments
