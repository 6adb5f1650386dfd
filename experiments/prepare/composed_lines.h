// Which line of the composed program each of its words belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "experiments/prepare/experiment.h"

namespace nplab::experiments {

// By word: of the calls that inlined it, the line of the innermost in the composed source; 0: of
// none, as where the compiler made one piece of code for several lines. Compiles the program again;
// only its line table is another one.
std::optional<std::vector<std::uint32_t>> composed_lines(const Experiment& experiment,
                                                         const CompiledProgram& program,
                                                         Diagnostics& diagnostics);

}  // namespace nplab::experiments
