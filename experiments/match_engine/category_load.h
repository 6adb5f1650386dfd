// The match engine under the load of a category's tables: uniform packets of the flows that they
// were drawn for.
#pragma once

#include <cstdint>

#include "experiments/match_engine/table_graphs.h"
#include "simulator/match_engine/description.h"

namespace nplab::experiments {

struct CategoryLoadResult {
  double megapackets_per_s = 0;
  double tables_per_packet = 0;      // that had a match
  double references_per_packet = 0;  // lines looked at
  double miss_percent = 0;
  double bursts_per_packet = 0;  // of memory, read and written
  std::uint64_t entries = 0;
  std::uint64_t flows = 0;
  std::uint64_t chained = 0;
  // Whether every entry's packets are those of the flows that it wins.
  bool is_exact = false;
};

// So many packets are sent, the first half of which warm the cache up.
CategoryLoadResult run_category(const RuleCategory& category,
                                const simulator::match::MatchDescription& unit,
                                std::uint64_t packets, std::uint64_t seed);

}  // namespace nplab::experiments
