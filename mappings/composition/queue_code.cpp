#include "mappings/composition/queue_code.h"

#include "mappings/composition/counter_ring_code.h"
#include "mappings/composition/register_ring_code.h"
#include "mappings/composition/ring_code.h"

namespace nplab::mappings {

std::string queue_code(const Queue& queue, std::size_t number) {
  switch (queue.protocol.shape) {
    case RingShape::kCounters: return counter_ring_code(queue);
    case RingShape::kRegisters: return register_ring_code(queue, number);
    case RingShape::kLapBit:
    case RingShape::kSequence:
    case RingShape::kEntryFlag: break;
  }
  return ring_code(queue, number);
}

}  // namespace nplab::mappings
