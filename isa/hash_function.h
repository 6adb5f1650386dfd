// What the hash references compute: a key times a multiplier over GF(2), modulo a fixed polynomial.
// The simulator's hash unit and builders of tables that engines look up by its hashes share it.
#pragma once

#include <cstdint>

namespace nplab::isa {

// x^48 + x^36 + x^25 + x^10 + 1 and x^64 + x^54 + x^35 + x^17 + 1, without the highest term: as
// documented for the hash unit of the whole family (recalled from the second generation's
// programmer's reference).
inline constexpr std::uint64_t kHashPolynomial48 = (1ull << 36) | (1ull << 25) | (1ull << 10) | 1;
inline constexpr std::uint64_t kHashPolynomial64 = (1ull << 54) | (1ull << 35) | (1ull << 17) | 1;

// Horner's rule from the multiplier's highest bit; the lowest `width` bits of key and multiplier
// count.
constexpr std::uint64_t hash_of_width(std::uint64_t key, std::uint64_t multiplier, unsigned width,
                                      std::uint64_t polynomial) {
  const std::uint64_t highest = std::uint64_t{1} << (width - 1);
  const std::uint64_t mask = highest | (highest - 1);
  std::uint64_t remainder = 0;
  for (std::uint64_t bit = highest; bit != 0; bit >>= 1) {
    const bool carries = (remainder & highest) != 0;
    remainder = (remainder << 1) & mask;
    if (carries)
      remainder ^= polynomial;
    if ((multiplier & bit) != 0)
      remainder ^= key & mask;
  }
  return remainder;
}

constexpr std::uint64_t hash_48(std::uint64_t key, std::uint64_t multiplier) {
  return hash_of_width(key, multiplier, 48, kHashPolynomial48);
}

constexpr std::uint64_t hash_64(std::uint64_t key, std::uint64_t multiplier) {
  return hash_of_width(key, multiplier, 64, kHashPolynomial64);
}

}  // namespace nplab::isa
