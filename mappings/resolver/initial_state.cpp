#include "mappings/resolver/initial_state.h"

#include <optional>

namespace nplab::mappings {
namespace {

// The packet information of an entry before its first use, where it tells that there is none.
std::optional<std::uint32_t> initial_info(const Queue& queue) {
  switch (queue.protocol.shape) {
    case RingShape::kSequence:
    case RingShape::kLapBit: return 1u << kLapBit;  // of the lap before the first
    case RingShape::kEntryFlag: return 0;
    case RingShape::kRegisters: return std::nullopt;
    case RingShape::kCounters: return queue.quantum == 1 ? std::nullopt : std::optional(0u);
  }
  return std::nullopt;
}

void put_queue(const Queue& queue, MemoryImage& memory) {
  if (queue.in_registers())
    return;  // shared registers begin as 0
  for (const QueueInstance& instance : queue.instances) {
    for (std::uint32_t offset = 0; offset < queue.control_bytes(); offset += 4)
      memory.put_longword(queue.memory, instance.base + offset, 0);
    const auto info = initial_info(queue);
    for (std::uint32_t entry = 0; info && entry < queue.entries; ++entry) {
      const std::uint32_t place =
          instance.base + queue.control_bytes() + 4 * (entry * queue.entry_longwords + 1);
      memory.put_longword(queue.memory, place, *info);
    }
  }
}

}  // namespace

void put_initial_state(const Placement& placement, MemoryImage& memory) {
  for (const Queue& queue : placement.queues)
    put_queue(queue, memory);
  const PacketBuffers& buffers = placement.buffers;
  for (std::uint32_t i = 0; i < buffers.count; ++i) {
    const std::uint32_t block = buffers.descriptors_base + i * kDescriptorBytes;
    memory.put_longword(isa::MemorySpace::kSram, block,
                        i + 1 == buffers.count ? 0 : block + kDescriptorBytes);
  }
}

}  // namespace nplab::mappings
