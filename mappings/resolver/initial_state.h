// What the memories hold besides tables before the first cycle.
#pragma once

#include "mappings/resolver/placement.h"
#include "mappings/tables/memory_image.h"

namespace nplab::mappings {

// The control blocks of all queues at 0, and the packet buffers' descriptors linked into free list
// 0: each block's first longword is the next one's address, 0 in the last; the list's head is
// buffers.descriptors_base.
void put_initial_state(const Placement& placement, MemoryImage& memory);

}  // namespace nplab::mappings
