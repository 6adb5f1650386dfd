#include "workloads/rules/rule_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "workloads/rules/rule_pairs.h"

namespace nplab::workloads {
namespace {

constexpr std::uint64_t kFirstHighPort = 1024;

FieldStatistics field_statistics(const RuleSet& rules, std::size_t index) {
  const FieldDefinition& field = rules.fields()[index];
  FieldStatistics statistics;
  statistics.name = field.name;
  std::set<std::pair<std::uint64_t, std::uint64_t>> distinct;
  std::set<std::uint64_t> starts = {0};
  for (const Rule& rule : rules.rules()) {
    const Range& range = rule.ranges[index];
    distinct.insert({range.low, range.high});
    starts.insert(range.low);
    if (range.high < max_value(field.bits))
      starts.insert(range.high + 1);
    if (range == any_value(field))
      ++statistics.wildcards;
  }
  statistics.distinct = distinct.size();
  statistics.intervals = starts.size();
  const std::uint64_t by_rules = 2 * rules.size() + 1, last = max_value(field.bits);
  statistics.intervals_at_worst = last < by_rules ? last + 1 : by_rules;
  return statistics;
}

// A field's part of a tuple: a prefix's length, or one after the longest for a range that is no
// prefix.
unsigned tuple_part(const Range& range, unsigned bits) {
  return prefix_length(range, bits).value_or(bits + 1);
}

std::size_t count_tuples(const RuleSet& rules) {
  std::set<std::vector<unsigned>> tuples;
  for (const Rule& rule : rules.rules()) {
    std::vector<unsigned> tuple;
    for (std::size_t i = 0; i < rule.ranges.size(); ++i) {
      tuple.push_back(tuple_part(rule.ranges[i], rules.fields()[i].bits));
    }
    tuples.insert(std::move(tuple));
  }
  return tuples.size();
}

TupleStatistics tuple_statistics(const RuleSet& rules) {
  TupleStatistics statistics;
  for (const Rule& rule : rules.rules()) {
    const auto& ranges = rule.ranges;
    ++statistics.length_pairs[{*prefix_length(ranges[0], 32), *prefix_length(ranges[1], 32)}];
    const PortClass source = port_class(ranges[2]), destination = port_class(ranges[3]);
    ++statistics.source_ports[source];
    ++statistics.destination_ports[destination];
    ++statistics.port_pairs[{source, destination}];
    const bool one = ranges[4].low == ranges[4].high;
    ++statistics
          .protocols[one ? std::optional(static_cast<unsigned>(ranges[4].low)) : std::nullopt];
  }
  return statistics;
}

}  // namespace

PortClass port_class(const Range& ports) {
  constexpr std::uint64_t kLastPort = 65535;
  if (ports == Range{0, kLastPort})
    return PortClass::kAny;
  if (ports.low == ports.high)
    return PortClass::kExact;
  if (ports == Range{0, kFirstHighPort - 1})
    return PortClass::kLow;
  if (ports == Range{kFirstHighPort, kLastPort})
    return PortClass::kHigh;
  return PortClass::kRange;
}

const char* name_of(PortClass ports) {
  constexpr const char* kNames[] = {"any", "low", "high", "range", "exact"};
  return kNames[static_cast<std::size_t>(ports)];
}

bool is_five_tuple_set(const RuleSet& rules) {
  const auto& wanted = five_tuple_fields();
  const auto& fields = rules.fields();
  const auto same = [](const FieldDefinition& a, const FieldDefinition& b) {
    return a.name == b.name && a.bits == b.bits;
  };
  if (!std::equal(fields.begin(), fields.end(), wanted.begin(), wanted.end(), same))
    return false;
  return std::all_of(rules.rules().begin(), rules.rules().end(), [](const Rule& rule) {
    return prefix_length(rule.ranges[0], 32) && prefix_length(rule.ranges[1], 32);
  });
}

std::string to_string(Action action) {
  if (action.kind() == Action::Kind::kAllow)
    return "allow";
  if (action.kind() == Action::Kind::kDeny)
    return "deny";
  return fmt::format("forward:{}", action.port());
}

RuleStatistics statistics_of(const RuleSet& rules, const StatisticsProgress& progress) {
  RuleStatistics statistics;
  statistics.rules = rules.size();
  for (std::size_t i = 0; i < rules.fields().size(); ++i)
    statistics.fields.push_back(field_statistics(rules, i));
  for (const Rule& rule : rules.rules())
    ++statistics.actions[to_string(rule.action)];
  statistics.tuples = count_tuples(rules);
  if (is_five_tuple_set(rules))
    statistics.five_tuple = tuple_statistics(rules);
  const RulePairs pairs = compare_pairs(rules, progress);
  statistics.overlapping_pairs = pairs.overlapping;
  statistics.covered = pairs.covered;
  return statistics;
}

}  // namespace nplab::workloads
