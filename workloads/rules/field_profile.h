// Profiles of rule sets with any fields: of each field, how many different values the rules have.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostics.h"
#include "support/input_file.h"
#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

struct ProfileField {
  FieldDefinition field;
  double unique = 1;  // different values as a share of the rules, at most all values of the field
  // Of a prefix field the lengths in bits, of a range field the widths in values; drawn uniformly.
  std::uint64_t least = 1;
  std::uint64_t most = 1;
};

struct FieldProfile {
  std::string name;
  std::vector<ProfileField> fields;
};

// Is the file a profile of fields? Otherwise it is one of 5-tuples (rule_profile.h).
bool is_field_profile(const InputFile& file);

std::optional<FieldProfile> parse_field_profile(const InputFile& file, Diagnostics& diagnostics);

// Draws `count` different rules; the same for equal arguments on every platform. A field takes each
// of its different values in some rule, as long as there are as many rules; a share `wildcards` of
// all values is any instead, and then a field may have fewer. Rules are in no particular order.
// Nothing when the profile has not so many different rules.
std::optional<RuleSet> generate_field_rules(const FieldProfile& profile, std::size_t count,
                                            std::uint64_t seed, double wildcards);

}  // namespace nplab::workloads
