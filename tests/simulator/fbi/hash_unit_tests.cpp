#include <catch2/catch.hpp>
#include <random>

#include "simulator/fbi/hash_unit.h"

namespace nplab::simulator {
namespace {

TEST_CASE(
    "with multiplier 0, as at reset, everything hashes to 0, with 1, a key hashes to itself") {
  HashUnit unit;
  CHECK(unit.hash_48(0x123456789abc) == 0);
  CHECK(unit.hash_64(0x123456789abcdef0) == 0);
  unit.set_multiplier(0, 1);
  unit.set_multiplier(2, 1);
  CHECK(unit.hash_48(0x123456789abc) == 0x123456789abc);
  CHECK(unit.hash_64(0x123456789abcdef0) == 0x123456789abcdef0);
}

TEST_CASE("multiplying past the highest term leaves the polynomial's remainder") {
  HashUnit unit;
  unit.set_multiplier(0, 2);
  unit.set_multiplier(2, 2);
  CHECK(unit.hash_48(1ull << 47) == ((1ull << 36) | (1ull << 25) | (1ull << 10) | 1));
  CHECK(unit.hash_64(1ull << 63) == ((1ull << 54) | (1ull << 35) | (1ull << 17) | 1));
}

TEST_CASE("bits of a key and multiplier beyond 48 do not count") {
  HashUnit unit;
  unit.set_multiplier(0, 3);
  unit.set_multiplier(1, 0xffff0000);
  CHECK(unit.hash_48(0xffff000000000005) == 15);
}

TEST_CASE("hashing is linear and gives different keys different results") {
  std::mt19937_64 random(5);
  HashUnit unit;
  for (unsigned i = 0; i < 4; ++i)
    unit.set_multiplier(i, static_cast<std::uint32_t>(random()) | 1);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t a = random();
    const std::uint64_t b = random();
    CHECK((unit.hash_64(a) ^ unit.hash_64(b)) == unit.hash_64(a ^ b));
    CHECK((unit.hash_48(a) ^ unit.hash_48(b)) == unit.hash_48(a ^ b));
    CHECK(unit.hash_64(a ^ 1) != unit.hash_64(a));
    CHECK(unit.hash_48(a) >> 48 == 0);
  }
}

}  // namespace
}  // namespace nplab::simulator
