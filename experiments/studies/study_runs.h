// The runs of a study: each series at each of its points.
#pragma once

#include <optional>
#include <vector>

#include "experiments/run/isolated_runs.h"
#include "experiments/run/result_store.h"
#include "experiments/run/simulate.h"
#include "experiments/studies/study_file.h"
#include "experiments/studies/study_results.h"
#include "support/diagnostics.h"

namespace nplab::experiments {

// How the runs are made.
struct StudyExecution {
  const ResultStore* store = nullptr;  // takes what it has, and keeps what is run, as it comes
  std::size_t at_once = processors();
};

// Runs them all, each in a process of its own. Wrong input is the failure of its run; nothing, and
// a diagnostic, when a process cannot be started or ends without a record.
std::optional<std::vector<StudyRun>> run_study(const Study& study, const StudyExecution& execution,
                                               const Progress& progress, Diagnostics& diagnostics);

// What run_study would have to do.
struct StudyPlan {
  std::size_t runs = 0;
  std::size_t known = 0;        // in the store
  double seconds_of_known = 0;  // of the host, when they were run
};
StudyPlan plan_study(const Study& study, const ResultStore* store, Diagnostics& diagnostics);

}  // namespace nplab::experiments
