#include "experiments/labs/drawn_input.h"

#include <numeric>
#include <random>

namespace nplab::experiments {
namespace {

using Random = std::mt19937_64;

std::uint32_t longword(Random& random) {
  return static_cast<std::uint32_t>(random());
}

// The ones' complement of the ones' complement sum of the 16-bit halves (RFC 1071).
std::uint32_t internet_checksum(const std::vector<std::uint32_t>& longwords) {
  std::uint64_t sum = 0;
  for (const std::uint32_t value : longwords)
    sum += (value >> 16) + (value & 0xffff);
  while (sum > 0xffff)
    sum = (sum >> 16) + (sum & 0xffff);
  return static_cast<std::uint32_t>(sum ^ 0xffff);
}

// Twenty bytes without options, the checksum field 0.
DrawnInput ipv4_header(Random& random, std::size_t /*size*/) {
  DrawnInput input;
  const std::uint32_t length = 20 + longword(random) % 1480;
  input.longwords = {0x45000000 | length, longword(random) & 0xffff0000,
                     longword(random) & 0xffff0000, longword(random), longword(random)};
  input.result = internet_checksum(input.longwords);
  return input;
}

DrawnInput table(Random& random, std::size_t size) {
  DrawnInput input;
  for (std::size_t i = 0; i < size; ++i)
    input.longwords.push_back(longword(random));
  input.result = std::accumulate(input.longwords.begin(), input.longwords.end(), 0u);
  return input;
}

// How many of the numbers that xorshift makes of the seed are below 0x40000000.
DrawnInput seed_of_numbers(Random& random, std::size_t numbers) {
  std::uint32_t x = longword(random) | 1;  // xorshift stays at 0
  DrawnInput input{{x}, 0};
  for (std::size_t i = 0; i < numbers; ++i) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    input.result += x < 0x40000000 ? 1 : 0;
  }
  return input;
}

struct Kind {
  const char* name;
  DrawnInput (*draw)(Random& random, std::size_t size);
  std::size_t usual_size;
  const char* result;
};

constexpr Kind kKinds[] = {
    {"ipv4_header", ipv4_header, 5, "the header's checksum"},
    {"table", table, 64, "the table's sum"},
    {"seed_of_numbers", seed_of_numbers, 256, "the count of numbers below the bound"},
};

}  // namespace

std::optional<DrawnInput> draw_input(const std::string& kind, std::size_t size,
                                     std::uint64_t seed) {
  Random random(seed);
  for (const Kind& one : kKinds)
    if (kind == one.name)
      return one.draw(random, size == 0 ? one.usual_size : size);
  return std::nullopt;
}

std::string result_words(const std::string& kind) {
  for (const Kind& one : kKinds)
    if (kind == one.name)
      return one.result;
  return "";
}

}  // namespace nplab::experiments
