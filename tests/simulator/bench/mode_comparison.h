// Runs the same inputs in two ways and says where they part.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "simulator/run/simulation.h"

namespace nplab::test {

// Inputs with what they refer to; a packet source can only be played once.
struct PreparedRun {
  simulator::SimulationInputs inputs;
  std::shared_ptr<void> kept;
};

// Makes the same inputs at every call.
using MakeRun = std::function<PreparedRun()>;
// Sets the modes of a run.
using SetMode = std::function<void(simulator::SimulationInputs&)>;

void in_lockstep(simulator::SimulationInputs& inputs);
void in_windows(simulator::SimulationInputs& inputs);

// Empty when both ways give the same end, state hash and counts of everything; otherwise the first
// cycle behind which the state of a part differs and the parts, found by runs that stop earlier and
// earlier.
std::string difference(const MakeRun& make, const SetMode& one, const SetMode& other);

}  // namespace nplab::test
