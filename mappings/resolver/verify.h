// An independent check of a finished placement. It computes everything again from the value alone
// and shares no code with the steps that made it, so that a defect in one of them is found before
// the placement is simulated. What it finds is a defect of nplab, not of the user's files: those
// are checked by link() and place().
#pragma once

#include <string>
#include <vector>

#include "mappings/resolver/placement.h"
#include "mappings/tables/memory_image.h"

namespace nplab::mappings {

// A sentence for everything in the placement that cannot be; empty when it is sound.
//
// Memory: every table, ring, buffer, descriptor and area of variables is aligned, lies inside its
// memory, in its range of the memory map, and overlaps no other. Threads: the chip has them, and
// each runs one stage. Queues: each joins two stages, in their order, every ring has producers and
// consumers of those stages, and every thread of these has a ring. Metadata: what a task reads and
// a queue carries has been written before.
std::vector<std::string> verify(const Placement& placement);

// The same for the memories' initial contents: they lie inside the placement's ranges.
std::vector<std::string> verify_memory(const Placement& placement, const MemoryImage& memory);

}  // namespace nplab::mappings
