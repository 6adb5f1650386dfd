#include "simulator/memory/reference_effect.h"

#include <cassert>

#include "simulator/memory/bit_operation.h"

namespace nplab::simulator {
namespace {

constexpr std::uint32_t kBytesOfQuadword = 8;
constexpr std::uint32_t kBytesOfLongword = 4;

void pull_and_store(const Command& command, MemoryStorage& storage, ThreadAccess& threads, Cycle at,
                    std::span<std::uint32_t> longwords) {
  threads.pull(command.thread, command.transfer, longwords, at);
  if (command.operation == isa::Operation::kSdramWrite)
    return store_bytes(storage, command, longwords);
  std::uint32_t address = command.address;
  for (const std::uint32_t longword : longwords) {
    storage.write(address, longword);
    address += kBytesOfLongword;
  }
}

}  // namespace

std::uint32_t referred_bytes(const Command& command) {
  return command.count * (command.unit == isa::Unit::kSdram ? kBytesOfQuadword : kBytesOfLongword);
}

void store_bytes(MemoryStorage& storage, const Command& command,
                 std::span<const std::uint32_t> longwords) {
  std::uint32_t masks[2]{};
  for (unsigned byte = 0; byte < kBytesOfQuadword; ++byte)
    if ((command.byte_mask << byte & 0x80) != 0)
      masks[byte / 4] |= 0xff000000u >> 8 * (byte % 4);
  for (unsigned i = 0; i < longwords.size(); ++i) {
    const std::uint32_t address = command.address + kBytesOfLongword * i;
    const std::uint32_t mask = masks[i % 2];
    storage.write(address, (storage.read(address) & ~mask) | (longwords[i] & mask));
  }
}

std::span<const std::uint32_t> perform(const Command& command, MemoryStorage& storage,
                                       ThreadAccess& threads, Cycle at, Burst& burst) {
  using isa::Operation;
  const std::span longwords(burst.data(), referred_bytes(command) / kBytesOfLongword);
  switch (command.operation) {
    case Operation::kSramRead:
    case Operation::kSdramRead:
    case Operation::kScratchRead:
      for (unsigned i = 0; i < longwords.size(); ++i)
        longwords[i] = storage.read(command.address + kBytesOfLongword * i);
      return longwords;
    case Operation::kSramWrite:
    case Operation::kSdramWrite:
    case Operation::kScratchWrite:
      pull_and_store(command, storage, threads, at, longwords);
      return {};
    case Operation::kScratchIncr:
      storage.write(command.address, storage.read(command.address) + 1);
      return {};
    case Operation::kSramBitWr:
    case Operation::kScratchBitWr: {
      SentLongwords sent{};
      threads.pull(command.thread, command.transfer, sent_longwords(command, sent), at);
      burst[0] = storage.read(command.address);
      storage.write(command.address, modified_bits(command, burst[0], sent));
      return longwords.first(returns_old_value(command) ? 1 : 0);
    }
    default: assert(false && "a command that is neither read, write nor modification");
  }
  return {};
}

}  // namespace nplab::simulator
