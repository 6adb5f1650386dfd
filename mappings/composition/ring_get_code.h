// The C function that takes an entry out of a ring, or says that there is none.
#pragma once

#include <string>

#include "mappings/composition/ring_terms.h"

namespace nplab::mappings {

std::string ring_get_code(const RingTerms& ring);

}  // namespace nplab::mappings
