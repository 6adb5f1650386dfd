// Units of the user's, loaded from shared libraries (nplab/systemc/unit.h).
#pragma once

#include <memory>
#include <string>

#include "nplab/systemc/unit.h"
#include "simulator/systemc/simulate.h"

namespace nplab::simulator {

// The unit that the library makes, whose range has `bytes`. check_unit must have passed; the
// library stays loaded.
std::unique_ptr<systemc::Unit> make_unit(const UnitChoice& choice, std::uint32_t bytes);

}  // namespace nplab::simulator
