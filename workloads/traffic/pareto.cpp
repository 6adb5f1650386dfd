#include "workloads/traffic/pareto.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace nplab::workloads {
namespace {

__extension__ using Product = unsigned __int128;
__extension__ using SignedWide = __int128;

constexpr unsigned kLogPlaces = 32;
constexpr unsigned kUniformBits = 53;
constexpr std::uint64_t kMillion = 1'000'000;

// log2(value) with 32 binary places, by squaring: each square that passes 2 gives a place.
std::int64_t log2_fixed(std::uint64_t value) {
  const auto whole = static_cast<unsigned>(std::bit_width(value) - 1);
  std::uint64_t mantissa = value << (63 - whole);  // 1 to 2, with 63 binary places
  std::int64_t result = whole;
  for (unsigned i = 0; i < kLogPlaces; ++i) {
    const Product square = Product{mantissa} * mantissa >> 63;
    const bool passes = (square >> 64) != 0;
    mantissa = static_cast<std::uint64_t>(passes ? square >> 1 : square);
    result = result << 1 | static_cast<std::int64_t>(passes);
  }
  return result;
}

}  // namespace

// X = scale / u^(1/shape) for u uniform in (0, 1]; n >= X when log2(n / scale) >= -log2(u) / shape.
std::uint64_t draw_burst(const ParetoBursts& bursts, std::uint64_t most, Random& random) {
  assert(most > 0 && bursts.shape_thousandths > 0 &&
         "a burst has a packet, a distribution a shape");
  if (bursts.scale_millionths == 0)
    return 1;
  const std::uint64_t uniform = (random.word() >> (64 - kUniformBits)) + 1;  // of 2^53
  const std::int64_t surprise = (std::int64_t{kUniformBits} << kLogPlaces) - log2_fixed(uniform);
  const auto needed = static_cast<std::int64_t>(SignedWide{surprise} * 1000 /
                                                static_cast<SignedWide>(bursts.shape_thousandths));
  const std::int64_t scale = log2_fixed(bursts.scale_millionths);
  std::uint64_t low = 1, high = most;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (log2_fixed(middle * kMillion) - scale >= needed)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace nplab::workloads
