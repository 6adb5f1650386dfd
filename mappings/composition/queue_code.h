// The C code of a queue: put and get for one instance, generated from the resolved mapping.
#pragma once

#include <string>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// Defines
//   u32 NAME_put(u32 queue, u32 buffer, u32 info, carried...)      0: the queue is full
//   u32 NAME_get(u32 queue, u32 *buffer, u32 *info, *carried...)   0: it is empty
// (with a quantum over 1: u32 NAME_get(u32 queue, u32 *next, u32 *left, ...), which keeps in `next`
// and `left` what the thread has taken and not read yet) and, for a queue whose entries are
// released at the end of the packet, void NAME_release(u32 queue), where `queue` is the address of
// an instance. Every access moves one longword, as the code of 2003 did; locks only where several
// threads share a side of the queue.
std::string queue_code(const Queue& queue);

}  // namespace nplab::mappings
