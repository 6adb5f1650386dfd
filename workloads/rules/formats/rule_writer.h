// Rule sets as text, in the notations that parse_rule_set reads.
#pragma once

#include <optional>
#include <string>

#include "support/diagnostics.h"
#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

// ClassBench lines with actions. The fields must be the 5-tuple's; a rule whose addresses are no
// prefixes, or whose protocol is neither one nor any, becomes several lines. Names are left out.
std::optional<std::string> classbench_text(const RuleSet& rules, Diagnostics& diagnostics);

// Any rule set, with names and actions.
std::string yaml_text(const RuleSet& rules);

}  // namespace nplab::workloads
