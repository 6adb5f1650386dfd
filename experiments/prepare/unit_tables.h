// The tables of a match unit, in the memory behind it.
#pragma once

#include <memory>
#include <vector>

#include "isa/match/mailbox.h"
#include "isa/match/table_image.h"
#include "simulator/match_engine/match_unit.h"
#include "support/diagnostics.h"
#include "workloads/rules/rule_set.h"

namespace nplab::experiments {

// False, and a diagnostic at the rule that has no place.
bool load_tables(const std::vector<isa::match::Entry>& entries, const workloads::RuleSet& rules,
                 isa::match::TableImage& image, Diagnostics& diagnostics);

// What the chip's unit is loaded with; null, and a diagnostic, when the rules do not fit.
std::shared_ptr<const simulator::match::MatchContents> load_match_unit(
    const isa::match::UnitTables& tables, const simulator::MatchUnitParameters& unit,
    const workloads::RuleSet& rules, Diagnostics& diagnostics);

}  // namespace nplab::experiments
