// The notations of rule sets, one reader each; `parse_rule_set` chooses.
#pragma once

#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

// `@src/len dst/len lo : hi lo : hi protocol/mask`, then columns that begin with a digit (TCP
// flags; not part of the 5-tuple) and at most one action word.
std::optional<RuleSet> parse_classbench_rules(const InputFile& file, Diagnostics& diagnostics);

// `# name:bits[E|P|R] ...`, then one word a field.
std::optional<RuleSet> parse_openflow_rules(const InputFile& file, Diagnostics& diagnostics);
bool is_openflow_rule_set(std::string_view bytes);

// fields: a list of {name, bits, match?: exact|prefix|range, at?: {byte, bit?}}; rules: a list of
// {name?, FIELD: value, action?}. A field that a rule leaves out takes any value.
std::optional<RuleSet> parse_yaml_rules(const InputFile& file, Diagnostics& diagnostics);

// iptables-save, or what `iptables -S` prints.
std::optional<RuleSet> parse_iptables_rules(const InputFile& file, const RuleReading& reading,
                                            Diagnostics& diagnostics);
bool is_iptables_listing(std::string_view bytes);

// The JSON of `nft -j list ruleset`.
std::optional<RuleSet> parse_nftables_rules(const InputFile& file, const RuleReading& reading,
                                            Diagnostics& diagnostics);
bool is_nftables_listing(std::string_view bytes);

// A Cisco configuration's access lists, numbered and named, extended and standard; its other lines
// do not count.
std::optional<RuleSet> parse_access_list_rules(const InputFile& file, const RuleReading& reading,
                                               Diagnostics& diagnostics);
bool is_access_list(std::string_view bytes);

}  // namespace nplab::workloads
