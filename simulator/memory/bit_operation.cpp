#include "simulator/memory/bit_operation.h"

namespace nplab::simulator {
namespace {

// The command field of bit_wr (isa/description/references.td).
constexpr std::uint8_t kClearBits = 9;
constexpr std::uint8_t kTestAndSetBits = 10;
constexpr std::uint8_t kTestAndClearBits = 11;

}  // namespace

std::uint32_t modified_bits(const Command& command, std::uint32_t old, std::uint32_t mask) {
  const bool clears = command.function == kClearBits || command.function == kTestAndClearBits;
  return clears ? old & ~mask : old | mask;
}

bool returns_old_value(const Command& command) {
  return command.function == kTestAndSetBits || command.function == kTestAndClearBits;
}

}  // namespace nplab::simulator
