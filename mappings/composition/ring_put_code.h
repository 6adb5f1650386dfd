// The C function that puts an entry into a ring, or says that the ring is full.
#pragma once

#include <string>

#include "mappings/composition/ring_terms.h"

namespace nplab::mappings {

std::string ring_put_code(const RingTerms& ring);

}  // namespace nplab::mappings
