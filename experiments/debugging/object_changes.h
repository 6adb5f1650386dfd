// What of the chip is to be changed so that an object of C gets another value.
#pragma once

#include <variant>
#include <vector>

#include "experiments/debugging/change.h"
#include "experiments/debugging/program_object.h"

namespace nplab::experiments {

// For a number, an enumeration or a pointer, which takes as many of the value's lowest bits as it
// has. Registers belong to the thread that `reader` reads; the caller chooses it. No value: nothing
// holds this object alone, for example because it is a constant or computed from others.
std::variant<std::vector<Change>, NoValue> changes_to(const Types& types,
                                                      const ProgramObject& object,
                                                      std::uint64_t value,
                                                      const MachineReader& reader);

}  // namespace nplab::experiments
