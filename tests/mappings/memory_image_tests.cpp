#include <catch2/catch.hpp>

#include "mappings/tables/memory_image.h"

using namespace nplab;
using isa::MemorySpace;
using mappings::MemoryImage;

TEST_CASE("a memory image gives back what was put there last, and nothing elsewhere") {
  MemoryImage image;
  image.put_longword(MemorySpace::kSram, 4096, 1);
  image.put_longword(MemorySpace::kSdram, 4096, 2);
  image.put_longword(MemorySpace::kSram, 4096, 3);
  CHECK(image.longword(MemorySpace::kSram, 4096) == 3);
  CHECK(image.longword(MemorySpace::kSdram, 4096) == 2);
  CHECK_FALSE(image.longword(MemorySpace::kScratch, 4096));
  CHECK_FALSE(image.longword(MemorySpace::kSram, 4100));
  CHECK_FALSE(image.longword(MemorySpace::kSram, 0));
  CHECK_FALSE(image.longword(MemorySpace::kSram, 0x10000));
}

TEST_CASE(
    "segments are runs without gaps, by memory and address, in whatever order they were put") {
  MemoryImage image;
  image.put_longword(MemorySpace::kScratch, 8, 7);
  image.put_longword(MemorySpace::kSram, 0x8000, 6);
  for (std::uint32_t address = 8192; address > 4088; address -= 4)
    image.put_longword(MemorySpace::kSram, address, address);
  const auto segments = image.segments();
  REQUIRE(segments.size() == 3);
  CHECK(segments[0].space == MemorySpace::kSram);
  CHECK(segments[0].address == 4092);
  REQUIRE(segments[0].longwords.size() == 1026);  // over the ends of two pages
  for (std::size_t i = 0; i < segments[0].longwords.size(); ++i)
    CHECK(segments[0].longwords[i] == 4092 + 4 * i);
  CHECK(segments[1].address == 0x8000);
  CHECK(segments[2].space == MemorySpace::kScratch);
  CHECK(segments[2].longwords == std::vector<std::uint32_t>{7});
}

TEST_CASE("the last longword of an address space is one like others") {
  MemoryImage image;
  image.put_longword(MemorySpace::kSdram, 0xfffffffc, 5);
  CHECK(image.longword(MemorySpace::kSdram, 0xfffffffc) == 5);
  REQUIRE(image.segments().size() == 1);
  CHECK(image.segments()[0].address == 0xfffffffc);
}

TEST_CASE("copies of a memory image are written apart, and one can take over another") {
  MemoryImage first;
  first.put_longword(MemorySpace::kSram, 0, 1);
  MemoryImage second = first;
  second.put_longword(MemorySpace::kSram, 0, 2);
  second.put_longword(MemorySpace::kSram, 4, 3);
  CHECK(first.longword(MemorySpace::kSram, 0) == 1);
  CHECK_FALSE(first.longword(MemorySpace::kSram, 4));
  MemoryImage moved = std::move(second);
  moved.put_longword(MemorySpace::kSram, 8, 4);
  first.add(moved);
  CHECK(first.segments().size() == 1);
  CHECK(first.longword(MemorySpace::kSram, 0) == 2);
  CHECK(first.longword(MemorySpace::kSram, 8) == 4);
}
