// The C code of a queue: put and get for one of its rings, generated from the resolved mapping.
#pragma once

#include <cstddef>
#include <string>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// Defines
//   u32 NAME_put(u32 queue, counts..., u32 buffer, u32 info, carried...)    0: the ring is full
//   u32 NAME_get(u32 queue, counts..., u32* buffer, u32* info, carried*...) 0: it is empty
// and, for a queue whose entries are released at the end of the packet,
//   void NAME_release(u32 queue)
// where `queue` is the address of a ring and `counts` are pointers to what the thread keeps of it
// in registers of its own (queue_use.h). With a quantum over 1 the thread keeps what it has taken
// and not read yet in `next` and `left`. `number` is that of the queue in the placement.
std::string queue_code(const Queue& queue, std::size_t number);

}  // namespace nplab::mappings
