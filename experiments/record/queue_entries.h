// Entries of a mapping's queues from those of their rings.
#pragma once

#include <cstdint>
#include <vector>

#include "mappings/resolver/placement.h"
#include "reports/record/counts.h"

namespace nplab::experiments {

// The entries that each queue of the placement holds in all its rings; `rings` has those of
// watched_rings (record_builder.h), in its order.
std::vector<reports::Count> entries_by_queue(const mappings::Placement& placement,
                                             const std::vector<std::uint32_t>& rings);

// What all rings of a queue can hold.
reports::Count capacity_of(const mappings::Queue& queue);

}  // namespace nplab::experiments
