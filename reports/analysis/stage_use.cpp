#include "reports/analysis/stage_use.h"

#include <set>

namespace nplab::reports {

std::optional<UseShares> use_of(const Engine& engine) {
  if (!engine.useful_pct || !engine.starved_pct || !engine.blocked_pct || !engine.lock_spin_pct)
    return std::nullopt;
  return UseShares{*engine.useful_pct,    *engine.starved_pct, *engine.blocked_pct,
                   *engine.lock_spin_pct, engine.aborted_pct,  engine.stalled_pct,
                   engine.idle_pct};
}

std::optional<UseShares> use_of(const RunRecord& record, const StageRecord& stage) {
  std::set<Count> engines;
  for (const ThreadName& thread : stage.threads)
    engines.insert(thread.engine);
  UseShares mean{};
  for (const Engine& engine : record.engines) {
    if (!engines.contains(engine.id))
      continue;
    const auto shares = use_of(engine);
    if (!shares)
      return std::nullopt;
    for (std::size_t use = 0; use < mean.size(); ++use)
      mean[use] += (*shares)[use] / static_cast<double>(engines.size());
  }
  return mean;
}

Table stage_use_table(const RunRecord& record) {
  Table table{"stage_use", "Cycles of each stage's engines, by use", {}, {}};
  for (const UseName& use : kUses)
    table.columns.push_back({use.id, use.label});
  for (const StageRecord& stage : record.stages) {
    const auto shares = use_of(record, stage);
    if (!shares)
      continue;
    Row row{stage.name, stage.name, {}};
    for (const double share : *shares)
      row.cells.push_back(Cell{share, "%", 1});
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace nplab::reports
