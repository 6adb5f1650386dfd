// Cycles by cause as texts and tables show them. Private to reports.
#pragma once

#include <map>
#include <string>

#include "reports/record/run_record.h"

namespace nplab::reports {

// "sram.capacity 812, command_bus 309": the greatest first; empty when there is none.
std::string counts_text(const CountByName& counts);

// Adds counts to a sum, name by name.
void add_counts(CountByName& sum, const CountByName& counts);

// What a thread waited for: by unit where the record tells it, by event in older ones.
const CountByName& waits_of(const Thread& thread);

// An engine's idle cycles by what its threads did in them (a unit, `ready`, `off`): the mean over
// its threads, each of which the record accounts for exactly. Adds up to the engine's idle cycles.
// Threads that were off in all of them do not count, unless all were; nothing when the record does
// not tell (older ones).
std::map<std::string, double> idle_by_cause(const Engine& engine);

// "waiting for sram", "on their way to P3".
std::string idle_phrase(const std::string& cause);

}  // namespace nplab::reports
