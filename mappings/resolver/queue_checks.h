// What a queue's keys ask of the stages that it joins.
#pragma once

#include <optional>

#include "mappings/resolver/linked_mapping.h"

namespace nplab::mappings {

// Reports quanta that a queue or its consumer cannot take, entries released at the end of a packet
// where that cannot be done, and signals that nobody could wait for.
void check_queues(const LinkedMapping& linked, Diagnostics& diagnostics);

// How the threads of each queue share its rings; a `sync` that is not enough for them is reported.
std::vector<QueueProtocol> protocols_of_queues(const LinkedMapping& linked,
                                               Diagnostics& diagnostics);

// The stage that gives back the entries of a queue with `release: end_of_packet`: the one that
// gives the verdict and thus knows when a packet's way ends. None where the way does not reach one.
std::optional<std::size_t> releasing_stage(const LinkedMapping& linked, std::size_t queue);

// The queues after this one through which a packet comes to the releasing stage.
std::vector<std::size_t> queues_until_release(const LinkedMapping& linked, std::size_t queue);

}  // namespace nplab::mappings
