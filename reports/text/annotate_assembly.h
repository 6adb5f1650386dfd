// The words of a run's programs with what they cost.
#pragma once

#include <string>

#include "reports/record/run_record.h"
#include "reports/text/annotate.h"

namespace nplab::reports {

// A row a word, as render_annotated has one a line: cycles, share of the shown engines' cycles,
// waiting, then references sent, the word's number and its instruction. In place, engine by engine,
// each stretch of words of one source line after that line; or the hottest words first, each with
// its line. `file` picks words of source files so named. Aborted cycles stand at the branch or swap
// that caused them, waiting at the word that gave up the engine.
std::string render_annotated_assembly(const RunRecord& record, const AnnotateOptions& options);

}  // namespace nplab::reports
