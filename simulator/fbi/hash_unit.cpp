#include "simulator/fbi/hash_unit.h"

namespace nplab::simulator {
namespace {

// x^48 + x^36 + x^25 + x^10 + 1 and x^64 + x^54 + x^35 + x^17 + 1, without the highest term: as documented for the hash
// unit of the whole family (recalled from the second generation's programmer's reference).
constexpr std::uint64_t kPolynomial48 = (1ull << 36) | (1ull << 25) | (1ull << 10) | 1;
constexpr std::uint64_t kPolynomial64 = (1ull << 54) | (1ull << 35) | (1ull << 17) | 1;

// key * multiplier modulo the polynomial, Horner's rule from the multiplier's highest bit.
std::uint64_t multiply(std::uint64_t key, std::uint64_t multiplier, unsigned width, std::uint64_t polynomial) {
  const std::uint64_t highest = std::uint64_t{1} << (width - 1);
  const std::uint64_t mask = highest | (highest - 1);
  std::uint64_t remainder = 0;
  for (std::uint64_t bit = highest; bit != 0; bit >>= 1) {
    const bool carries = (remainder & highest) != 0;
    remainder = (remainder << 1) & mask;
    if (carries) remainder ^= polynomial;
    if (multiplier & bit) remainder ^= key & mask;
  }
  return remainder;
}

std::uint64_t join(std::uint32_t low, std::uint32_t high) { return (std::uint64_t{high} << 32) | low; }

}  // namespace

std::uint64_t HashUnit::hash_48(std::uint64_t key) const {
  return multiply(key, join(multipliers_[0], multipliers_[1] & 0xffff), 48, kPolynomial48);
}

std::uint64_t HashUnit::hash_64(std::uint64_t key) const {
  return multiply(key, join(multipliers_[2], multipliers_[3]), 64, kPolynomial64);
}

}  // namespace nplab::simulator
