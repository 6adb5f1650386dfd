// What a rule set is made of, in the terms of the literature on packet classification.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

// Taylor and Turner, "ClassBench: A Packet Classification Benchmark", 2007: any port, 0 to 1023,
// 1024 to 65535, another range, one port.
enum class PortClass { kAny, kLow, kHigh, kRange, kExact };
PortClass port_class(const Range& ports);
const char* name_of(PortClass ports);

struct FieldStatistics {
  std::string name;
  std::size_t distinct = 0;   // different ranges
  std::size_t wildcards = 0;  // rules that take any value
  std::size_t intervals = 0;  // elementary intervals of the axis: no rule begins or ends inside one
  std::uint64_t intervals_at_worst =
      0;  // for as many rules: 2 N + 1, or the field's values if they are fewer
};

// Counts of rules of 5-tuples by the shape of their parts.
struct TupleStatistics {
  using LengthPair = std::pair<unsigned, unsigned>;  // of the source's and the destination's prefix
  std::map<LengthPair, std::size_t> length_pairs;
  std::map<PortClass, std::size_t> source_ports, destination_ports;
  std::map<std::pair<PortClass, PortClass>, std::size_t> port_pairs;
  std::map<std::optional<unsigned>, std::size_t> protocols;  // nothing: any
};

struct RuleStatistics {
  std::size_t rules = 0;
  std::vector<FieldStatistics> fields;
  std::map<std::string, std::size_t> actions;  // `allow`, `deny`, `forward:N`
  // Different combinations of what each field asks for: a prefix of some length, or a range
  // (Srinivasan, Suri and Varghese, "Packet Classification Using Tuple Space Search", 1999).
  std::size_t tuples = 0;
  std::uint64_t overlapping_pairs = 0;  // pairs of rules that some header matches both of
  std::size_t covered = 0;  // rules that no packet meets: one earlier rule matches all of theirs
  std::optional<TupleStatistics> five_tuple;  // when the fields are those, and addresses prefixes
};

// Told the share that is done, 0 to 1. Comparing all pairs of 100,000 rules takes seconds.
using StatisticsProgress = std::function<void(double)>;
RuleStatistics statistics_of(const RuleSet& rules, const StatisticsProgress& progress = {});

// Are the fields the 5-tuple's, in its order, and all addresses prefixes?
bool is_five_tuple_set(const RuleSet& rules);

std::string to_string(Action action);  // as parse_action reads it

}  // namespace nplab::workloads
