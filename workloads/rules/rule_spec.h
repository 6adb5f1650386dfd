// A rule set asked for in a word: `gen:PROFILE,count=N,seed=S,wildcards=W`, where the name of a
// file could stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "support/diagnostics.h"

namespace nplab::workloads {

struct RuleSpec {
  std::string text;     // as the user gave it
  std::string profile;  // a listed name or a profile's file
  std::size_t count = 1000;
  std::uint64_t seed = 1;
  double wildcards = 0;  // share of values that are any; of a profile of fields alone
};

bool is_rule_spec(std::string_view text);  // begins with `gen:`

// Reads a SPEC; all errors at `location`.
std::optional<RuleSpec> parse_rule_spec(std::string_view text, const SourceLocation& location,
                                        Diagnostics& diagnostics);

}  // namespace nplab::workloads
