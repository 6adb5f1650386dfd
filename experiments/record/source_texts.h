// The texts of the source files that a run's lines name.
#pragma once

#include <vector>

#include "experiments/prepare/experiment.h"
#include "reports/record/run_record.h"

namespace nplab::experiments {

// Generated programs by their name, files of the data directory and the user's by their path; each
// once, in the order of their names. A file that cannot be read any more is left out.
std::vector<reports::Source> source_texts(const std::vector<reports::Line>& lines,
                                          const std::vector<CompiledProgram>& programs);

}  // namespace nplab::experiments
