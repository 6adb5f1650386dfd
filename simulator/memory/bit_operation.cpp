#include "simulator/memory/bit_operation.h"

namespace nplab::simulator {
namespace {

// The command field of bit_wr (isa/description/references.td).
constexpr std::uint8_t kClearBits = 9;
constexpr std::uint8_t kTestAndSetBits = 10;
constexpr std::uint8_t kTestAndClearBits = 11;
constexpr std::uint8_t kCompareAndSwap = 14;

}  // namespace

bool is_compare_and_swap(const Command& command) {
  return command.operation == isa::Operation::kSramBitWr && command.function == kCompareAndSwap;
}

std::span<std::uint32_t> sent_longwords(const Command& command, SentLongwords& sent) {
  return std::span(sent).first(is_compare_and_swap(command) ? 2 : 1);
}

std::uint32_t modified_bits(const Command& command, std::uint32_t old, const SentLongwords& sent) {
  if (is_compare_and_swap(command))
    return old == sent[0] ? sent[1] : old;
  const bool clears = command.function == kClearBits || command.function == kTestAndClearBits;
  return clears ? old & ~sent[0] : old | sent[0];
}

bool returns_old_value(const Command& command) {
  return command.function == kTestAndSetBits || command.function == kTestAndClearBits ||
         is_compare_and_swap(command);
}

}  // namespace nplab::simulator
