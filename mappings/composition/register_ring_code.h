// The C code of rings in registers that the threads of an engine share (`memory: registers`), for
// queues between stages of one engine.
#pragma once

#include <string>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// The functions that queue_code.h describes, for queue `number` of the placement.
std::string register_ring_code(const Queue& queue, std::size_t number);

}  // namespace nplab::mappings
