// Rings counted by their counters in memory.
#include <catch2/catch.hpp>

#include "simulator/observe/ring_watch.h"

namespace nplab::simulator {
namespace {

constexpr auto kSram = isa::MemorySpace::kSram;
constexpr auto kScratch = isa::MemorySpace::kScratch;

TEST_CASE("a ring's peak is the most entries put in and not yet taken out") {
  MemoryStorage storage(4096);
  std::vector<RingCounters> counters;
  RingWatch watch({{kSram, 0x104, 0x100, 0x100}}, kSram, storage, counters);
  storage.write(0x104, 1);
  storage.write(0x104, 2);
  storage.write(0x100, 1);
  storage.write(0x104, 3);
  storage.write(0x100, 2);
  CHECK(counters[0].put == 3);
  CHECK(counters[0].taken == 2);
  CHECK(counters[0].peak == 2);
}

TEST_CASE("an entry counts until it is given back where that is not when it is taken out") {
  MemoryStorage storage(4096);
  std::vector<RingCounters> counters;
  RingWatch watch({{kSram, 0x104, 0x100, 0x108}}, kSram, storage, counters);
  storage.write(0x104, 1);
  storage.write(0x100, 1);
  storage.write(0x104, 2);
  CHECK(counters[0].peak == 2);
  storage.write(0x108, 1);
  storage.write(0x104, 3);
  CHECK(counters[0].taken == 1);
  CHECK(counters[0].peak == 2);
}

TEST_CASE("running counts go on beyond 2^32") {
  MemoryStorage storage(4096);
  storage.write(0x104, 0xffffffff);
  storage.write(0x100, 0xfffffffe);
  std::vector<RingCounters> counters;
  RingWatch watch({{kSram, 0x104, 0x100, 0x100}}, kSram, storage, counters);
  storage.write(0x104, 1);
  CHECK(counters[0].peak == 3);
}

TEST_CASE("rings of two memories are told apart, and what else is written counts nothing") {
  MemoryStorage sram(4096), scratch(4096);
  const std::vector<WatchedRing> rings{
      {kSram, 0x104, 0x100, 0x100}, {kScratch, 0x104, 0x100, 0x100}, {kSram, 0x204, 0x200, 0x200}};
  std::vector<RingCounters> counters;
  RingWatch of_sram(rings, kSram, sram, counters);
  RingWatch of_scratch(rings, kScratch, scratch, counters);
  sram.write(0x104, 1);
  sram.write(0x150, 9);
  scratch.write(0x104, 2);
  sram.write(0x204, 3);
  CHECK(counters[0].put == 1);
  CHECK(counters[1].put == 2);
  CHECK(counters[2].put == 3);
}

}  // namespace
}  // namespace nplab::simulator
