#include "mappings/resolver/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "mappings/resolver/verify_parts.h"

namespace nplab::mappings {
namespace {

// Ranges that touch become one, by memory and base.
std::vector<MemoryRange> merged(std::vector<MemoryRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const MemoryRange& a, const MemoryRange& b) {
    return std::pair(a.space, a.base) < std::pair(b.space, b.base);
  });
  std::vector<MemoryRange> result;
  for (const MemoryRange& range : ranges) {
    const bool touches = !result.empty() && result.back().space == range.space &&
                         result.back().base + result.back().bytes >= range.base;
    if (!touches) {
      result.push_back(range);
    } else {
      const std::uint64_t end = std::max<std::uint64_t>(result.back().base + result.back().bytes,
                                                        range.base + range.bytes);
      result.back().bytes = end - result.back().base;
    }
  }
  return result;
}

}  // namespace

std::vector<std::string> verify(const Placement& placement) {
  Findings findings;
  verify_fit(placement, findings);
  verify_threads(placement, findings);
  verify_queues(placement, findings);
  if (findings.empty())  // follows the queues from stage to stage
    verify_metadata(placement, findings);
  return findings;
}

std::vector<std::string> verify_memory(const Placement& placement, const MemoryImage& memory) {
  Findings findings;
  const std::vector<MemoryRange> ranges = merged(placement.memory_map);
  for (const isa::DataSegment& segment : memory.segments()) {
    const std::uint64_t end = segment.address + 4 * std::uint64_t{segment.longwords.size()};
    const bool lies_inside =
        std::any_of(ranges.begin(), ranges.end(), [&](const MemoryRange& range) {
          return range.space == segment.space && range.base <= segment.address &&
                 end <= range.base + range.bytes;
        });
    if (!lies_inside) {
      findings.push_back(fmt::format("{} at {:#x} to {:#x} is written and lies in no range",
                                     memory_name(segment.space), segment.address, end - 1));
    }
  }
  return findings;
}

}  // namespace nplab::mappings
