// What was left out of a listing of rules, said once.
#pragma once

#include <string>

#include "workloads/rules/rule_set.h"

namespace nplab::tools {

// One line a statement that was skipped, `FILE:LINE:COLUMN: note: skipped: ...`, the first 50;
// empty when none was.
std::string skipped_notes(const workloads::RuleSet& rules);

}  // namespace nplab::tools
