// What lies in the chip's memories, by the names with which a mapping pins it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "mappings/files/mapping_file.h"
#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// What every mapping has, under the names with which it is pinned.
inline const MemoryUse kDescriptorsUse{MemoryPurpose::kBufferDescriptors, "descriptors"};
inline const MemoryUse kBuffersUse{MemoryPurpose::kPacketBuffers, "buffers"};
inline const MemoryUse kVariablesUse{MemoryPurpose::kVariables, "variables"};
inline const MemoryUse kCountersUse{MemoryPurpose::kCounters, "counters"};

// Everything of a mapping that needs a place, and its memory: tables, queues, packet buffers and
// their descriptors, the compiler's variables, the counters of packets.
struct NamedUse {
  MemoryUse use;
  isa::MemorySpace space{};
};
std::vector<NamedUse> named_uses(const MappingFile& mapping,
                                 const std::map<std::string, isa::MemorySpace>& table_memories);

// A pin must name one thing that lies in its memory. Reports queues that have the name of another
// thing, and pins of unknown names.
void check_memory_names(const MappingFile& mapping, const std::vector<NamedUse>& uses,
                        Diagnostics& diagnostics);

}  // namespace nplab::mappings
