// What was left out of a listing of rules, said once.
#pragma once

#include <string>

#include "workloads/rules/rule_set.h"

namespace nplab::tools {

// How many of a listing's statements were left out, and how many for which reason; empty when none
// was.
std::string skipped_summary(const workloads::SkippedStatements& skipped);

// The summary as a warning, then `FILE:LINE:COLUMN: note: skipped: ...` for each statement that was
// skipped, the first 50, then the number of the others by reason; empty when none was.
std::string skipped_notes(const workloads::RuleSet& rules);

}  // namespace nplab::tools
