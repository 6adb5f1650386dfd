// Parameters, tables, names and rule sets against the manifest.
#pragma once

#include <map>
#include <string>

#include "mappings/resolver/link.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {

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

}  // namespace nplab::mappings
