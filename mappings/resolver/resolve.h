// The resolver: manifest + mapping + chip + rule set + table sizes -> Placement.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mappings/resolver/placement.h"

namespace nplab::mappings {

// What a placement needs to know about the chip.
struct ChipFacts {
  std::string name;
  unsigned engines = 0;
  unsigned contexts = 0;  // of an engine
  unsigned control_store_words = 0;
  std::map<isa::MemorySpace, std::uint64_t> memory_bytes;
  unsigned ports = 0;  // of the media
};

struct ResolveInputs {
  const Manifest& manifest;
  const MappingFile& mapping;
  const ChipFacts& chip;
  const workloads::RuleSet& rules;
  const ExpectedUpdates* updates = nullptr;  // none: all rules are in force and stay
};

// The algorithm's parameters with the mapping's values, and the memory of every table. Values
// outside a parameter's range and names that the manifest does not know are reported.
ParameterValues resolve_parameters(const Manifest& manifest, const MappingFile& mapping,
                                   Diagnostics& diagnostics);
std::map<std::string, isa::MemorySpace> resolve_table_memories(const Manifest& manifest,
                                                               const MappingFile& mapping,
                                                               Diagnostics& diagnostics);

// Does the rule set stay within the manifest's number of dimensions, width of fields and number of
// rules? Reports at the first rule that does not.
bool check_rule_set(const Manifest& manifest, const workloads::RuleSet& rules,
                    Diagnostics& diagnostics);

// Does every rule that forwards name a port of the chip? Asked where the mapping sends packets by
// action. Reports each that does not.
bool check_forward_ports(const ChipFacts& chip, const workloads::RuleSet& rules,
                         Diagnostics& diagnostics);

// The placement, or every error that the inputs hold (bad parameters and rule sets included); none
// when `diagnostics` has errors from before. `table_sizes` has a row for each table; it may be
// empty when the rule set could not be built, so that the other errors are found too.
std::optional<Placement> resolve(const ResolveInputs& inputs,
                                 const std::vector<TableSize>& table_sizes,
                                 Diagnostics& diagnostics);

}  // namespace nplab::mappings
