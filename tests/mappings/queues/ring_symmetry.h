// Threads of a side that differ only in their number behave the same, as do engines with as many
// threads: of the states that a renumbering turns into each other one needs to be explored.
#pragma once

#include "ring_setup.h"
#include "ring_state.h"

namespace nplab::ring_model {

// Renumbers the threads of each side, and the items of producers with them. Consumers that are
// signalled by their number keep it.
void make_canonical(const RingSetup& setup, RingState& state);

}  // namespace nplab::ring_model
