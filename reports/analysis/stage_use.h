// Where the cycles of a stage's engines go.
#pragma once

#include <array>
#include <optional>

#include "reports/record/run_record.h"
#include "reports/tables/table.h"

namespace nplab::reports {

// Every cycle of an engine is in exactly one of these.
struct UseName {
  const char* id;
  const char* label;
};
inline constexpr std::array<UseName, 7> kUses{{{"useful", "useful"},
                                               {"starved", "starved"},
                                               {"blocked", "blocked"},
                                               {"lock_spin", "lock spin"},
                                               {"aborted", "aborted"},
                                               {"stalled", "stalled"},
                                               {"idle", "idle"}}};
inline constexpr std::size_t kUseful = 0;

// In percent of the run's cycles, in the order of kUses.
using UseShares = std::array<double, kUses.size()>;

// Nothing when the record does not distinguish them (older ones).
std::optional<UseShares> use_of(const Engine& engine);

// The mean of the stage's engines.
std::optional<UseShares> use_of(const RunRecord& record, const StageRecord& stage);

// A row per stage, a column per use; no rows for records that do not distinguish them.
Table stage_use_table(const RunRecord& record);

}  // namespace nplab::reports
