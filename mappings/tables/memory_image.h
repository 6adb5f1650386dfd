// Initial contents of the chip's memories, longword by longword. Table builders write through
// `put_longword` alone.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "isa/program_image.h"

namespace nplab::mappings {

class MemoryImage {
 public:
  // `address` in bytes, a multiple of 4. A second write to an address replaces the first.
  void put_longword(isa::MemorySpace space, std::uint32_t address, std::uint32_t value);

  // What was put there; nothing where nothing was.
  [[nodiscard]] std::optional<std::uint32_t> longword(isa::MemorySpace space,
                                                      std::uint32_t address) const;

  // Every longword put, as runs without gaps, by memory and ascending address.
  [[nodiscard]] std::vector<isa::DataSegment> segments() const;

  // Takes over every longword of `other`.
  void add(const MemoryImage& other);

 private:
  static constexpr std::uint32_t kPageLongwords = 1024;
  struct Page {
    std::array<std::uint32_t, kPageLongwords> longwords{};
    std::bitset<kPageLongwords> written;
  };
  static constexpr std::size_t kMemories = 3;  // by isa::MemorySpace

  // The page of that number, of zeros that nobody put there if there was none.
  Page& page_at(isa::MemorySpace space, std::uint32_t number);
  // Null: nothing was put there.
  [[nodiscard]] const Page* find_page(isa::MemorySpace space, std::uint32_t number) const;
  // Its longwords, after those of the pages before it.
  void append_page(isa::MemorySpace space, std::uint32_t number,
                   std::vector<isa::DataSegment>& segments) const;

  std::vector<Page> pages_;  // in the order of their first longwords
  // For each memory, by number of page: its place in `pages_` and 1, or 0.
  std::array<std::vector<std::uint32_t>, kMemories> places_;
};

}  // namespace nplab::mappings
