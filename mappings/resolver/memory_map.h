// Finds a place in the chip's memories for everything that needs one.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mappings/files/mapping_file.h"
#include "mappings/resolver/placement.h"

namespace nplab::mappings {

struct MemoryRequest {
  MemoryUse use;
  isa::MemorySpace space{};
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 8;  // a power of two
  std::string arithmetic;       // how the size comes about
  SourceLocation location;      // of what asks for it
};

using MemoryPins = std::map<isa::MemorySpace, std::map<std::string, Located<std::uint32_t>>>;

// Places pinned requests at their bases and the others, in their order, at the first free address
// that is large enough and aligned. The first 8 bytes of a memory are given to pins alone: address
// 0 ends lists. Reported are ranges that overlap, with both and the first free address, requests
// that do not fit, with the arithmetic. The ranges come by memory and base; those that found no
// place are left out.
std::vector<MemoryRange> allocate_memory(
    const std::vector<MemoryRequest>& requests, const MemoryPins& pins,
    const std::map<isa::MemorySpace, std::uint64_t>& memory_bytes, Diagnostics& diagnostics);

}  // namespace nplab::mappings
