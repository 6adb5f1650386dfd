// The runs of a study: each series at each of its points.
#pragma once

#include <optional>
#include <vector>

#include "experiments/run/simulate.h"
#include "experiments/studies/study_file.h"
#include "experiments/studies/study_results.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// Runs them all, each in a process of its own. Wrong input is the failure of its run; nothing, and
// a diagnostic, when a process cannot be started or ends without a record.
std::optional<std::vector<StudyRun>> run_study(const Study& study, const Progress& progress,
                                               Diagnostics& diagnostics);

}  // namespace nplab::experiments
