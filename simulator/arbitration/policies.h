// Which policies each place can have: the names that `arbitration` can have in a section of the
// chip file, the default first. A policy is added here, and nowhere else
// (docs/extending/adding-a-memory-policy.md).
#pragma once

#include "simulator/arbitration/any_policy.h"
#include "simulator/arbitration/fr_fcfs.h"
#include "simulator/arbitration/in_order.h"
#include "simulator/arbitration/ixp1200_bus.h"
#include "simulator/arbitration/ixp1200_dispatch.h"
#include "simulator/arbitration/ixp1200_sdram.h"
#include "simulator/arbitration/ixp1200_sram.h"
#include "simulator/arbitration/oldest_first.h"
#include "simulator/arbitration/round_robin.h"

namespace nplab::simulator {

using SramArbiter = AnyPolicy<Ixp1200Sram, RoundRobin, OldestFirst>;
using SdramArbiter = AnyPolicy<Ixp1200Sdram, RoundRobin, OldestFirst>;
using BusArbiter = AnyPolicy<Ixp1200Bus, RoundRobin, OldestFirst>;
using DispatchArbiter = AnyPolicy<Ixp1200Dispatch, RoundRobin, OldestFirst>;
// A DRAM controller's, which of its requests has its next command.
using DramScheduler = AnyPolicy<FrFcfs, OldestFirst, InOrder>;

}  // namespace nplab::simulator
