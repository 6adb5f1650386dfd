#include "mappings/resolver/memory_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "support/near_miss.h"

namespace nplab::mappings {
namespace {

void check_queue_names(const MappingFile& mapping, const std::vector<NamedUse>& uses,
                       Diagnostics& diagnostics) {
  for (const QueueEntry& queue : mapping.queues) {
    const auto same = std::find_if(uses.begin(), uses.end(), [&](const NamedUse& one) {
      return one.use.name == queue.name && one.use.purpose != MemoryPurpose::kQueue;
    });
    if (same == uses.end())
      continue;
    diagnostics.error(queue.location,
                      fmt::format("queue '{}' has the name of the {}; give it another", queue.name,
                                  to_string(same->use)));
  }
}

void check_pin_names(const MappingFile& mapping, const std::vector<NamedUse>& uses,
                     Diagnostics& diagnostics) {
  for (const auto& [space, names] : mapping.pins) {
    std::vector<std::string> known;
    for (const NamedUse& one : uses) {
      if (one.space == space)
        known.push_back(one.use.name);
    }
    for (const auto& [name, pin] : names) {
      if (std::find(known.begin(), known.end(), name) != known.end())
        continue;
      diagnostics.error(pin.location, fmt::format("nothing called '{}' lies in {}; {}", name,
                                                  memory_name(space), suggestion(name, known)));
    }
  }
}

}  // namespace

std::vector<NamedUse> named_uses(const MappingFile& mapping,
                                 const std::map<std::string, isa::MemorySpace>& table_memories) {
  std::vector<NamedUse> uses;
  for (const auto& [table, space] : table_memories)
    uses.push_back({{MemoryPurpose::kTable, table}, space});
  for (const QueueEntry& queue : mapping.queues) {
    if (queue.in_registers)
      continue;
    uses.push_back({{MemoryPurpose::kQueue, queue.name}, queue.memory.value});
  }
  uses.push_back({kDescriptorsUse, isa::MemorySpace::kSram});
  uses.push_back({kBuffersUse, isa::MemorySpace::kSdram});
  uses.push_back({kCountersUse, isa::MemorySpace::kScratch});
  for (const auto& [space, bytes] : mapping.variables) {
    if (bytes.value != 0)
      uses.push_back({kVariablesUse, space});
  }
  return uses;
}

void check_memory_names(const MappingFile& mapping, const std::vector<NamedUse>& uses,
                        Diagnostics& diagnostics) {
  check_queue_names(mapping, uses, diagnostics);
  check_pin_names(mapping, uses, diagnostics);
}

}  // namespace nplab::mappings
