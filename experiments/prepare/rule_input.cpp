#include "experiments/prepare/rule_input.h"

#include <fmt/format.h>

#include "experiments/prepare/data_files.h"
#include "support/input_file.h"
#include "workloads/rules/field_profile.h"
#include "workloads/rules/rule_generator.h"
#include "workloads/rules/rule_profile.h"

namespace nplab::experiments {

std::optional<workloads::RuleSet> generate_rule_set(const workloads::RuleSpec& spec,
                                                    const SourceLocation& location,
                                                    Diagnostics& diagnostics,
                                                    const RuleProgress& progress) {
  const auto path = find_data_file(DataKind::kRuleProfile, spec.profile, location, diagnostics);
  const auto file = path ? read_input_file(*path, diagnostics) : std::nullopt;
  if (!file)
    return std::nullopt;
  std::optional<workloads::RuleSet> rules;
  if (workloads::is_field_profile(*file)) {
    const auto profile = workloads::parse_field_profile(*file, diagnostics);
    if (!profile)
      return std::nullopt;
    rules = workloads::generate_field_rules(*profile, spec.count, spec.seed, spec.wildcards);
  } else {
    const auto profile = workloads::parse_profile(*file, diagnostics);
    if (profile && spec.wildcards > 0) {
      diagnostics.error(location,
                        fmt::format("wildcards: the profile '{}' says itself which values "
                                    "are any; leave wildcards out",
                                    spec.profile));
    }
    if (!profile || spec.wildcards > 0)
      return std::nullopt;
    rules = workloads::generate_rules(*profile, spec.count, spec.seed, progress);
  }
  if (!rules)
    diagnostics.error({*path, 0, 0},
                      "this profile has not so many different rules; ask for fewer (count)");
  return rules;
}

std::optional<workloads::RuleSet> read_rule_input(const std::string& word,
                                                  const workloads::RuleReading& reading,
                                                  Diagnostics& diagnostics,
                                                  const RuleProgress& progress) {
  if (!workloads::is_rule_spec(word))
    return workloads::read_rule_set(word, reading, diagnostics);
  const SourceLocation location = without_lines(word);
  if (reading.chain) {
    diagnostics.error(location, "has no chain '" + *reading.chain + "': it is a generated set");
    return std::nullopt;
  }
  const auto spec = workloads::parse_rule_spec(word, location, diagnostics);
  const auto rules =
      spec ? generate_rule_set(*spec, location, diagnostics, progress) : std::nullopt;
  if (!rules)
    return std::nullopt;
  // Named by the SPEC, which makes the same set again.
  auto named = rules->rules();
  for (workloads::Rule& rule : named)
    rule.location = location;
  return workloads::RuleSet(word, rules->sha256(), rules->fields(), std::move(named));
}

}  // namespace nplab::experiments
