// What the ports bring: no mapping deals with more packets.
#pragma once

#include "simulator/parameters/chip_description.h"
#include "workloads/workload.h"

namespace nplab::experiments {

// Packets per second that arrive on all ports together: each port's bits per second over the mean
// length of its packets on the wire, with gap, preamble and the silence that the arrival adds.
double port_rate(const simulator::ChipDescription& chip, const workloads::Workload& workload);

}  // namespace nplab::experiments
