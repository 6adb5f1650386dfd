// Traffic as files: header traces, and when its packets would come.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/rules/rule_set.h"
#include "workloads/traffic/arrival.h"
#include "workloads/traffic/traffic.h"

namespace nplab::workloads {

// Lines `SA DA SP DP PROTO RULE`, RULE the index of the first rule that matches or -1. Every packet
// must have a key of the 5-tuple's fields, in their order.
std::string trace_text(const Traffic& traffic, const RuleSet& rules);

// Lines of keys, one hexadecimal word a field of the rules, then RULE as above, as parse_key_trace
// reads them.
std::string key_trace_text(const Traffic& traffic, const RuleSet& rules);

// When each packet starts on one port at the media's line rate, in nanoseconds, its extra gap
// before it.
std::vector<std::uint64_t> start_times(const Traffic& traffic, const Slot& slot);

}  // namespace nplab::workloads
