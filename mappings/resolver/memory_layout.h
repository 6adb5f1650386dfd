// Where the tables, queues, buffers and variables of a mapping lie.
#pragma once

#include <vector>

#include "mappings/resolver/link.h"
#include "mappings/resolver/placement.h"

namespace nplab::mappings {

struct MemoryLayout {
  std::vector<MemoryRange> ranges;  // by memory and base; without what found no place
  std::vector<TablePlacement> tables;
  PacketBuffers buffers;
  PacketCounters counters;
  std::vector<VariableArea> variables;

  // Of the range with that use; 0 when it found no place.
  [[nodiscard]] std::uint32_t base_of(const MemoryUse& use) const;
};

// Gives everything a place, pinned or the first free one; reports what has none (memory_map.h).
// `table_sizes` is empty where the rule set could not be built.
MemoryLayout lay_out_memory(const LinkedMapping& linked, const std::vector<Queue>& queues,
                            const std::vector<TableSize>& table_sizes, Diagnostics& diagnostics);

// The queues with the bases of their instances.
std::vector<Queue> with_bases(std::vector<Queue> queues, const MemoryLayout& layout);

}  // namespace nplab::mappings
