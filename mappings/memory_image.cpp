#include "mappings/memory_image.h"

#include <cassert>

namespace nplab::mappings {

MemoryImage::Page& MemoryImage::page_at(const PageKey& key) {
  if (latest_.page == nullptr || latest_.key != key) {
    latest_.page = &pages_[key];
    latest_.key = key;
  }
  return *latest_.page;
}

void MemoryImage::put_longword(isa::MemorySpace space, std::uint32_t address, std::uint32_t value) {
  assert(address % 4 == 0 && "memory images hold aligned longwords");
  const std::uint32_t index = address / 4;
  Page& page = page_at({space, index / kPageLongwords});
  page.longwords[index % kPageLongwords] = value;
  page.written.set(index % kPageLongwords);
}

std::optional<std::uint32_t> MemoryImage::longword(isa::MemorySpace space, std::uint32_t address) const {
  assert(address % 4 == 0 && "memory images hold aligned longwords");
  const std::uint32_t index = address / 4;
  const auto page = pages_.find({space, index / kPageLongwords});
  if (page == pages_.end() || !page->second.written.test(index % kPageLongwords)) return std::nullopt;
  return page->second.longwords[index % kPageLongwords];
}

std::vector<isa::DataSegment> MemoryImage::segments() const {
  std::vector<isa::DataSegment> segments;
  for (const auto& [key, page] : pages_) {
    for (std::uint32_t i = 0; i < kPageLongwords; ++i) {
      if (!page.written.test(i)) continue;
      const std::uint32_t address = 4 * (key.second * kPageLongwords + i);
      const bool continues = !segments.empty() && segments.back().space == key.first &&
                             segments.back().address + 4 * segments.back().longwords.size() == address;
      if (!continues) segments.push_back({key.first, address, {}});
      segments.back().longwords.push_back(page.longwords[i]);
    }
  }
  return segments;
}

void MemoryImage::add(const MemoryImage& other) {
  for (const isa::DataSegment& segment : other.segments()) {
    std::uint32_t address = segment.address;
    for (const std::uint32_t value : segment.longwords) {
      put_longword(segment.space, address, value);
      address += 4;
    }
  }
}

}  // namespace nplab::mappings
