// Profiles by source line: `nplab run --profile-out P` writes how often each line's words were
// executed, `--profile P` compiles with that.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/compiler.h"
#include "experiments/prepare/experiment.h"
#include "reports/record/run_record.h"

namespace nplab::experiments {

// JSON, schema nplab.profile/1: of each engine's lines the executed instructions and the words that
// the line became. Lines that became words and were not executed are there with 0; one that is not
// there became none: that says nothing.
std::string profile_json(const reports::RunRecord& record,
                         const std::vector<CompiledProgram>& programs);

// What the file says of one engine. Reports what is no profile.
std::optional<std::vector<compiler::LineCount>> read_profile(const std::string& path,
                                                             unsigned engine,
                                                             Diagnostics& diagnostics);

}  // namespace nplab::experiments
