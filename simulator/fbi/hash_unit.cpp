#include "simulator/fbi/hash_unit.h"

#include "isa/hash_function.h"

namespace nplab::simulator {
namespace {

std::uint64_t join(std::uint32_t low, std::uint32_t high) {
  return (std::uint64_t{high} << 32) | low;
}

}  // namespace

std::uint64_t HashUnit::hash_48(std::uint64_t key) const {
  return isa::hash_48(key, join(multipliers_[0], multipliers_[1] & 0xffff));
}

std::uint64_t HashUnit::hash_64(std::uint64_t key) const {
  return isa::hash_64(key, join(multipliers_[2], multipliers_[3]));
}

}  // namespace nplab::simulator
