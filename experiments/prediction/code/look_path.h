// Looks for room that a profiling run never had to repeat, from the code of the put: the shortest
// way from a look back to it.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "experiments/prediction/code/code_parts.h"
#include "experiments/prediction/demand.h"

namespace nplab::experiments {

// By queue of the placement, what an unsuccessful look of one of the program's puts demands. A put
// that is a subroutine of its own has none here. Branches count as taken with their aborted slots,
// references as in an idle chip.
std::map<std::size_t, Demand> looks_for_room(const CompiledProgram& program, const CodeParts& parts,
                                             const simulator::ChipDescription& chip);

}  // namespace nplab::experiments
