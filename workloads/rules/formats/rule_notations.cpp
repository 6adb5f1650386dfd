#include <algorithm>
#include <array>

#include "workloads/rules/formats/rule_notation.h"

namespace nplab::workloads {

// Each is defined in its reader's file.
extern const RuleNotation kClassBench;
extern const RuleNotation kIptables;
extern const RuleNotation kNftables;
extern const RuleNotation kAccessLists;
extern const RuleNotation kOpenFlow;
extern const RuleNotation kYamlRules;

const RuleNotation* notation_of(std::string_view bytes) {
  // The first that recognises the content; YAML, whose sign is weakest, comes last.
  static constexpr std::array kNotations{&kClassBench,  &kIptables, &kNftables,
                                         &kAccessLists, &kOpenFlow, &kYamlRules};
  const auto found =
      std::find_if(kNotations.begin(), kNotations.end(),
                   [&](const RuleNotation* notation) { return notation->recognises(bytes); });
  return found == kNotations.end() ? nullptr : *found;
}

}  // namespace nplab::workloads
