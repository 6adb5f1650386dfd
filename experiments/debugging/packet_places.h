// Where packets are in a chip that stands still: a debugger follows them by this.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/debugging/debug_target.h"

namespace nplab::experiments {

// By the number of the packet, as text, a list of places, of which each is one of
//   {"engine", "context", "place"}: the thread works on it (packet_holders.h), and has not given it
//   on;
//   {"queue", "ring", "ahead"}: memory has the packet's entry, with the number of entries that are
//   taken before it.
// A packet without a place is under way between the units, or waits in a buffer of which only a
// table or a queue without an order knows.
nlohmann::json packet_places(const DebugTarget& target, const simulator::RunVisitor::View& view);

}  // namespace nplab::experiments
