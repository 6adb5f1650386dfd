// The fuzz targets on inputs that are damaged at random: a short run for every day, without a
// fuzzer.
#include <catch2/catch.hpp>

#include <random>

#include "tests/fuzz/targets.h"

namespace nplab::test {
namespace {

std::string damaged(std::string input, std::mt19937_64& random) {
  for (unsigned i = 0, times = 1 + random() % 8; i < times && !input.empty(); ++i) {
    const std::size_t at = random() % input.size();
    switch (random() % 5) {
      case 0: input[at] = static_cast<char>(random()); break;
      case 1: input[at] = static_cast<char>(input[at] ^ 1 << random() % 8); break;
      case 2: input.erase(at, 1 + random() % 16); break;
      case 3: input.insert(at, std::string(1 + random() % 16, static_cast<char>(random()))); break;
      default: input.insert(at, input.substr(random() % input.size(), 1 + random() % 32)); break;
    }
  }
  return input;
}

void damage(void (*target)(Bytes), const std::vector<std::string>& seeds, unsigned times) {
  std::mt19937_64 random(1);
  REQUIRE_FALSE(seeds.empty());
  for (unsigned i = 0; i < times; ++i) {
    const std::string input = damaged(seeds[random() % seeds.size()], random);
    INFO("input " << i);
    CHECK_NOTHROW(target({reinterpret_cast<const std::uint8_t*>(input.data()), input.size()}));
  }
}

}  // namespace

TEST_CASE("damaged objects are refused or load, nothing else") {
  damage(fuzz_object, object_seeds(), 2'000);
}

TEST_CASE("damaged chip files are refused or give a chip that runs") {
  damage(fuzz_chip, chip_seeds(), 1'000);
}

TEST_CASE("damaged programs run or fault, with every cycle accounted for") {
  damage(fuzz_words, words_seeds(), 1'000);
}

TEST_CASE("random words run or fault, with every cycle accounted for") {
  std::mt19937_64 random(2);
  for (unsigned i = 0; i < 1'000; ++i) {
    std::string input(1 + 11 * (random() % 20), 1);
    for (std::size_t at = 1; at < input.size(); ++at)
      input[at] = static_cast<char>(random());
    CHECK_NOTHROW(fuzz_words({reinterpret_cast<const std::uint8_t*>(input.data()), input.size()}));
  }
}

}  // namespace nplab::test
