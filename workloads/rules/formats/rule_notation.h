// A notation of rule sets: how a file in it is recognised and read. rule_notations.cpp lists them.
#pragma once

#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

struct RuleNotation {
  // Whether a file may hold several chains or access lists, of which the reading names one.
  enum class Chains { kNone, kNamed };

  Chains chains{};
  bool (*recognises)(std::string_view bytes);
  // All errors of the file at once; then nothing is returned.
  std::optional<RuleSet> (*read)(const InputFile& file, const RuleReading& reading,
                                 Diagnostics& diagnostics);
};

// The notation of a file's content; null when it is in none.
const RuleNotation* notation_of(std::string_view bytes);

}  // namespace nplab::workloads
