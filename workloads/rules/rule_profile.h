// What rules of one sort (access lists, firewalls, IP chains) are like: the distributions that a
// generator draws from and that any rule set can be measured by.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "support/diagnostics.h"
#include "support/input_file.h"
#include "workloads/rules/address_trie.h"
#include "workloads/rules/rule_set.h"
#include "workloads/rules/rule_statistics.h"

namespace nplab::workloads {

// Protocol and port classes of a rule; prefix lengths depend on them (ClassBench's "port pair
// class" statistics).
struct RuleKind {
  std::optional<unsigned> protocol;  // nothing: any
  PortClass source_ports = PortClass::kAny;
  PortClass destination_ports = PortClass::kAny;
  friend auto operator<=>(const RuleKind&, const RuleKind&) = default;
};

// Weights are counts of rules.
struct PortProfile {
  std::map<std::uint64_t, std::size_t> exact;  // by port
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t>
      ranges;  // by ends; those of PortClass::kRange
  friend bool operator==(const PortProfile&, const PortProfile&) = default;
};

struct RuleProfile {
  std::string name;
  std::string source;  // where its figures come from
  std::map<RuleKind, std::map<TupleStatistics::LengthPair, std::size_t>> kinds;
  PortProfile source_ports, destination_ports;
  AddressTrieShape source_trie, destination_trie;
};

// Measures a rule set of 5-tuples, as a profile named `measured`; any other set is refused.
std::optional<RuleProfile> profile_of(const RuleSet& rules, Diagnostics& diagnostics);

// The profile as YAML, and read back (docs/workloads.md gives its keys).
std::string profile_text(const RuleProfile& profile);
std::optional<RuleProfile> parse_profile(const InputFile& file, Diagnostics& diagnostics);

}  // namespace nplab::workloads
