// The tables that builders write.
#include <catch2/catch.hpp>

#include "fixtures.h"
#include "mappings/bit-vector/p_set.h"

using namespace nplab;
using namespace nplab::mappings;
using namespace nplab::mappings::testing;

namespace {

// `4-5 0100` for every interval that a rule covers; the axis ends at 15.
std::vector<std::string> axis(std::size_t dimension) {
  const auto p_set = bit_vector::make_p_set(published_rules(), dimension);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < p_set.size(); ++i) {
    const std::uint64_t high = i + 1 < p_set.size() ? p_set[i + 1].low - 1 : 15;
    std::string vector;
    for (unsigned rule = 0; rule < 4; ++rule)
      vector += (p_set[i].rules[0] >> (31 - rule) & 1) != 0 ? '1' : '0';
    if (vector != "0000")
      lines.push_back(std::to_string(p_set[i].low) + "-" + std::to_string(high) + " " + vector);
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("the P-sets of the published rules are those of its figure 4.4") {
  CHECK(axis(0) == Lines{"4-5 0100", "6-6 0101", "7-8 0001", "9-9 0010", "10-11 1010"});
  CHECK(axis(1) == Lines{"1-1 0001", "2-3 1001", "4-4 1000", "5-7 0010", "8-11 0100"});
  CHECK(axis(2) == Lines{"1-4 0100", "5-7 0001", "8-9 1001", "10-11 1000", "12-14 0010"});
}

TEST_CASE("a P-set has at most 2N + 1 intervals and covers its axis in order") {
  const auto rules = random_rules(3, 200, {32, 8});
  for (std::size_t d = 0; d < 2; ++d) {
    const auto p_set = bit_vector::make_p_set(rules, d);
    CHECK(p_set.size() <= 401);
    CHECK(p_set.front().low == 0);
    for (std::size_t i = 1; i < p_set.size(); ++i)
      REQUIRE(p_set[i - 1].low < p_set[i].low);
  }
}

TEST_CASE("a trie node of stride 1 is a quadword, and one of stride 4 has sixteen entries") {
  const auto rules = random_rules(1, 1, {8});
  const auto pset_bytes = [&](const char* stride) {
    return place_shipped("bv1", rules,
                         {{"parameters.stride", stride, {}},
                          {"parameters.node_quadwords", "0", {}},
                          {"parameters.full_depth", "0", {}}})
        .placement.tables.at(0)
        .bytes;
  };
  CHECK(pset_bytes("1") % 8 == 0);
  CHECK(pset_bytes("4") % 64 == 0);
}

TEST_CASE("intervals with equal vectors share one") {
  // One rule over two dimensions: the intervals inside it have the same vector {r0}, the others
  // none.
  const auto placement = place_shipped("bv1", random_rules(12, 1, {8, 8})).placement;
  CHECK(placement.tables.at(1).name == "vectors");
  CHECK(placement.tables.at(1).bytes == 8);
}

TEST_CASE("a memory image gives back runs without gaps") {
  MemoryImage image;
  image.put_longword(isa::MemorySpace::kSdram, 4096, 3);
  image.put_longword(isa::MemorySpace::kSdram, 4092, 2);
  image.put_longword(isa::MemorySpace::kSdram, 8, 1);
  image.put_longword(isa::MemorySpace::kSdram, 8, 7);
  const auto segments = image.segments();
  REQUIRE(segments.size() == 2);
  CHECK(segments[0].address == 8);
  CHECK(segments[0].longwords == std::vector<std::uint32_t>{7});
  CHECK(segments[1].address == 4092);
  CHECK(segments[1].longwords == std::vector<std::uint32_t>{2, 3});
  CHECK_FALSE(image.longword(isa::MemorySpace::kSdram, 12));
  CHECK_FALSE(image.longword(isa::MemorySpace::kSram, 8));
}
