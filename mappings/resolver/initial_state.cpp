#include "mappings/resolver/initial_state.h"

namespace nplab::mappings {
namespace {

void put_queue(const Queue& queue, MemoryImage& memory) {
  for (const QueueInstance& instance : queue.instances) {
    for (std::uint32_t offset = 0; offset < kQueueControlBytes; offset += 4)
      memory.put_longword(queue.memory, instance.base + offset, 0);
    if (queue.quantum == 1)
      continue;
    for (std::uint32_t entry = 0; entry < queue.entries; ++entry) {
      const std::uint32_t info =
          instance.base + kQueueControlBytes + 4 * (entry * queue.entry_longwords + 1);
      memory.put_longword(queue.memory, info, 0);
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
