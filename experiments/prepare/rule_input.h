// Rule sets as a command line names them: a file, or a SPEC of one to generate
// (workloads/rules/rule_spec.h).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "support/diagnostics.h"
#include "workloads/rules/rule_set.h"
#include "workloads/rules/rule_spec.h"

namespace nplab::experiments {

// How much of a set is drawn, 0 to 1; may be empty.
using RuleProgress = std::function<void(double)>;

// Draws the set, whose profile is a listed name or a file. `location` is what the user wrote.
std::optional<workloads::RuleSet> generate_rule_set(const workloads::RuleSpec& spec,
                                                    const SourceLocation& location,
                                                    Diagnostics& diagnostics,
                                                    const RuleProgress& progress);

// The set that `word` names. `reading` says how a listing is read; a SPEC has no chains.
std::optional<workloads::RuleSet> read_rule_input(const std::string& word,
                                                  const workloads::RuleReading& reading,
                                                  Diagnostics& diagnostics,
                                                  const RuleProgress& progress);

}  // namespace nplab::experiments
