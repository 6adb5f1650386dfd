// The C code of rings whose counts are all in memory, with a lock in memory for each side that
// several threads share (`sync: memory_lock`). Programs written by hand use these counts too. Every
// access moves one longword, as the code of 2003 did.
#pragma once

#include <string>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// The functions that queue_code.h describes.
std::string counter_ring_code(const Queue& queue);

}  // namespace nplab::mappings
