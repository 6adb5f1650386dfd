#include "mappings/tables/memory_image.h"

#include <cassert>

namespace nplab::mappings {

MemoryImage::Page& MemoryImage::page_at(isa::MemorySpace space, std::uint32_t number) {
  std::vector<std::uint32_t>& places = places_[static_cast<std::size_t>(space)];
  if (number >= places.size())
    places.resize(number + 1);
  std::uint32_t& place = places[number];
  if (place == 0) {
    pages_.emplace_back();
    place = static_cast<std::uint32_t>(pages_.size());
  }
  return pages_[place - 1];
}

const MemoryImage::Page* MemoryImage::find_page(isa::MemorySpace space,
                                                std::uint32_t number) const {
  const std::vector<std::uint32_t>& places = places_[static_cast<std::size_t>(space)];
  return number < places.size() && places[number] != 0 ? &pages_[places[number] - 1] : nullptr;
}

void MemoryImage::put_longword(isa::MemorySpace space, std::uint32_t address, std::uint32_t value) {
  assert(address % 4 == 0 && "memory images hold aligned longwords");
  const std::uint32_t index = address / 4;
  Page& page = page_at(space, index / kPageLongwords);
  page.longwords[index % kPageLongwords] = value;
  page.written.set(index % kPageLongwords);
}

std::optional<std::uint32_t> MemoryImage::longword(isa::MemorySpace space,
                                                   std::uint32_t address) const {
  assert(address % 4 == 0 && "memory images hold aligned longwords");
  const std::uint32_t index = address / 4;
  const Page* page = find_page(space, index / kPageLongwords);
  if (page == nullptr || !page->written.test(index % kPageLongwords))
    return std::nullopt;
  return page->longwords[index % kPageLongwords];
}

void MemoryImage::append_page(isa::MemorySpace space, std::uint32_t number,
                              std::vector<isa::DataSegment>& segments) const {
  const Page* page = find_page(space, number);
  for (std::uint32_t i = 0; page != nullptr && i < kPageLongwords; ++i) {
    if (!page->written.test(i))
      continue;
    const std::uint32_t address = 4 * (number * kPageLongwords + i);
    const bool continues =
        !segments.empty() && segments.back().space == space &&
        segments.back().address + 4 * segments.back().longwords.size() == address;
    if (!continues)
      segments.push_back({space, address, {}});
    segments.back().longwords.push_back(page->longwords[i]);
  }
}

std::vector<isa::DataSegment> MemoryImage::segments() const {
  std::vector<isa::DataSegment> segments;
  for (std::size_t memory = 0; memory < kMemories; ++memory)
    for (std::uint32_t number = 0; number < places_[memory].size(); ++number)
      append_page(static_cast<isa::MemorySpace>(memory), number, segments);
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
