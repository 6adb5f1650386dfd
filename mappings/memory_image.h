// Initial contents of the chip's memories, longword by longword. Table builders write through `put_longword` alone.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "isa/program_image.h"

namespace nplab::mappings {

class MemoryImage {
 public:
  // `address` in bytes, a multiple of 4. A second write to an address replaces the first.
  void put_longword(isa::MemorySpace space, std::uint32_t address, std::uint32_t value);

  // What was put there; nothing where nothing was.
  [[nodiscard]] std::optional<std::uint32_t> longword(isa::MemorySpace space, std::uint32_t address) const;

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
  using PageKey = std::pair<isa::MemorySpace, std::uint32_t>;  // memory and number of page

  // The page that was written last: builders mostly go on there. A copy finds its own.
  struct LatestPage {
    LatestPage() = default;
    LatestPage(const LatestPage&) {}
    LatestPage(LatestPage&& other) noexcept { other.page = nullptr; }
    LatestPage& operator=(const LatestPage&) { page = nullptr; return *this; }
    LatestPage& operator=(LatestPage&& other) noexcept { page = other.page = nullptr; return *this; }
    ~LatestPage() = default;
    PageKey key{};
    Page* page = nullptr;
  };
  Page& page_at(const PageKey& key);

  std::map<PageKey, Page> pages_;
  LatestPage latest_;
};

}  // namespace nplab::mappings
