// The hash unit: multiplies a key by a programmable multiplier over GF(2) and gives the remainder
// by a fixed polynomial, so that every multiplier but 0 permutes the keys.
#pragma once

#include <array>
#include <cstdint>

namespace nplab::simulator {

class HashUnit {
 public:
  static constexpr unsigned kMultiplierRegisters = 6;

  // Registers 0 and 1 are the multiplier of 48-bit keys (1: its upper 16 bits), 2 and 3 that of
  // 64-bit keys; the first part has no use for 4 and 5. They are 0 at reset.
  void set_multiplier(unsigned index, std::uint32_t value) { multipliers_[index] = value; }
  [[nodiscard]] std::uint32_t multiplier(unsigned index) const { return multipliers_[index]; }

  // Bits 47..0 of `key` count.
  [[nodiscard]] std::uint64_t hash_48(std::uint64_t key) const;
  [[nodiscard]] std::uint64_t hash_64(std::uint64_t key) const;

 private:
  std::array<std::uint32_t, kMultiplierRegisters> multipliers_{};
};

}  // namespace nplab::simulator
