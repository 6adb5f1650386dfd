#include "simulator/cache/cache_reference.h"

#include <algorithm>

namespace nplab::simulator {

bool is_read(const Command& command) {
  using isa::Operation;
  return command.operation == Operation::kSramRead || command.operation == Operation::kSdramRead ||
         command.operation == Operation::kScratchRead;
}

bool is_write(const Command& command) {
  switch (command.operation) {
    case isa::Operation::kSramWrite: return !has_token(command, isa::Token::kUnlock);
    case isa::Operation::kSramBitWr:
    case isa::Operation::kSdramWrite:
    case isa::Operation::kScratchWrite:
    case isa::Operation::kScratchIncr:
    case isa::Operation::kScratchBitWr: return true;
    default: return false;
  }
}

LineSpan lines_of(const Command& command, std::uint32_t line_bytes) {
  const bool is_block = command.operation == isa::Operation::kSramPush ||
                        command.operation == isa::Operation::kSramPop;
  const std::uint32_t bytes = is_block ? 4 : std::max(referred_bytes(command), 1u);
  return {command.address / line_bytes, (command.address + bytes - 1) / line_bytes};
}

}  // namespace nplab::simulator
