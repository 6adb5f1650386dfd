// The C code of rings whose entries say themselves whether they are there: by a bit that changes
// with every lap, or by packet information that is not 0.
#pragma once

#include <string>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// The functions that queue_code.h describes; `number` is that of the queue in the placement.
std::string ring_code(const Queue& queue, std::size_t number);

}  // namespace nplab::mappings
