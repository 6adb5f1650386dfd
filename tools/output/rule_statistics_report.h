// Statistics of a rule set, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "workloads/rules/rule_set.h"
#include "workloads/rules/rule_statistics.h"

namespace nplab::tools {

std::string render_rule_statistics(const workloads::RuleSet& rules,
                                   const workloads::RuleStatistics& statistics);
nlohmann::ordered_json rule_statistics_json(const workloads::RuleSet& rules,
                                            const workloads::RuleStatistics& statistics);

}  // namespace nplab::tools
