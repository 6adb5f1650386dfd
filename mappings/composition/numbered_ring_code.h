// The C functions that put into a ring whose slots are the numbers of packets: receive gives each
// packet its number, so that packets of a port leave in the order in which they came.
#pragma once

#include <string>

#include "mappings/composition/ring_terms.h"

namespace nplab::mappings {

std::string numbered_put_code(const RingTerms& ring);

}  // namespace nplab::mappings
