// The texts of the source files that a run's lines name.
#pragma once

#include <vector>

#include "reports/run_record.h"
#include "tools/experiment.h"

namespace nplab::tools {

// Generated programs by their name, files of the data directory and the user's by their path; each once, in the order
// of their names. A file that cannot be read any more is left out.
std::vector<reports::Source> source_texts(const std::vector<reports::Line>& lines,
                                          const std::vector<EngineProgram>& programs);

}  // namespace nplab::tools
