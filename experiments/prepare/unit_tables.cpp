#include "experiments/prepare/unit_tables.h"

#include <fmt/format.h>

namespace nplab::experiments {

bool load_tables(const std::vector<isa::match::Entry>& entries, const workloads::RuleSet& rules,
                 isa::match::TableImage& image, Diagnostics& diagnostics) {
  image.memory().reserve(entries.size());
  for (const isa::match::Entry& entry : entries) {
    const isa::match::Placed placed = image.insert(entry);
    if (placed == isa::match::Placed::kPlaced)
      continue;
    diagnostics.error(rules.rules()[entry.action].location,
                      fmt::format("the rule has no place in the match unit's tables: {}; more "
                                  "slots, or `chain` for collisions, would help",
                                  sentence_of(placed)));
    return false;
  }
  return true;
}

std::shared_ptr<const simulator::match::MatchContents> load_match_unit(
    const isa::match::UnitTables& tables, const simulator::MatchUnitParameters& unit,
    const workloads::RuleSet& rules, Diagnostics& diagnostics) {
  const isa::match::TableSize size = simulator::match::table_size(unit);
  isa::match::TableImage image(size, unit.collisions);
  isa::match::TableImage all(size, unit.collisions);
  if (!load_tables(tables.later, rules, all, diagnostics) ||
      !load_tables(tables.entries, rules, image, diagnostics))
    return nullptr;
  return std::make_shared<const simulator::match::MatchContents>(
      simulator::match::MatchContents{tables.program, std::move(image), tables.key});
}

}  // namespace nplab::experiments
