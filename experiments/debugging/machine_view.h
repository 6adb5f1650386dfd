// What a debugger shows of a chip that stands still: answers to requests, as JSON.
//   {"look": "threads"}: of each thread with a program {engine, context, state, word, since,
//   waits_for}
//   {"look": "registers", "engine", "context"}: {general, sram_read, sram_write, sdram_read,
//   sdram_write}
//   {"look": "register", "engine", "context", "code"}: what the thread would read of an operand
//   {"look": "local", "engine", "context"}: {active_ctx, engine, cycle_count, signals, negative,
//   zero, carry, overflow}
//   {"look": "memory", "space", "address", "longwords"}: {longwords}; fewer at the memory's end
//   {"look": "fifo", "fifo": rfifo or tfifo, "address", "longwords"}: the same of a FIFO
//   {"look": "locks"}: addresses in the SRAM unit's lock CAM
//   {"look": "queues"}: of each queue of the mapping {name, size, entries, put, taken}, by ring
//   {"look": "waiting"}: sentences on what every thread, queue and frame waits for
//   {"look": "packets"}, {"look": "work", "engine", "context"}: packet_view.h
//   {"look": "unit queues"}: of each queue that references wait in {name, size, entries}
//   {"look": "chip"}: {over, deadlocked, threads, queues, unit_queues, packets}, packets with
//   places
//   {"look": "hash"}: of the chip's state
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "experiments/debugging/debug_target.h"

namespace nplab::experiments {

nlohmann::json machine_view(const nlohmann::json& request, const DebugTarget& target,
                            const simulator::RunVisitor::View& view);

}  // namespace nplab::experiments
