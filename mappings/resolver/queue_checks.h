// What a queue's keys ask of the stages that it joins.
#pragma once

#include <optional>

#include "mappings/resolver/linked_mapping.h"

namespace nplab::mappings {

// Reports quanta that a queue or its consumer cannot take, and entries released at the end of a
// packet where that cannot be done.
void check_queues(const LinkedMapping& linked, Diagnostics& diagnostics);

// The stage that gives back the entries of a queue with `release: end_of_packet`: the one that
// gives the verdict and thus knows when a packet's way ends. None where the way does not reach one.
std::optional<std::size_t> releasing_stage(const LinkedMapping& linked, std::size_t queue);

}  // namespace nplab::mappings
