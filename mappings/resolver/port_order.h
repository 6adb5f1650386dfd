// Queues with `order: port`: packets of an input port leave them in the order in which they were
// received. Receive numbers the packets of each port; the number is the packet's slot in the port's
// ring. The thread that puts the packet writes there, and a thread that drops it leaves a mark
// there. docs/queues.md describes the protocol.
#pragma once

#include <vector>

#include "mappings/resolver/linked_mapping.h"

namespace nplab::mappings {

// One ring for each thread of receive, into which all producers put, dealt out to the consumers.
std::vector<QueueInstance> wire_ports(std::size_t ports, const std::vector<ThreadPlace>& producers,
                                      const std::vector<ThreadPlace>& consumers);

// The way of the packets from receive to the queue, without the queue itself; empty also where
// receive leads there at once.
std::vector<std::size_t> queues_from_receive(const LinkedMapping& linked, std::size_t queue);

// The stage that receives, where there is one alone.
std::optional<std::size_t> receive_stage(const MappingFile& mapping);

// Reports what keeps the packets of a port from being numbered, or a queue from keeping the order.
void check_port_order(const LinkedMapping& linked, std::size_t queue, Diagnostics& diagnostics);

}  // namespace nplab::mappings
