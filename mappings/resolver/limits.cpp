#include "mappings/resolver/limits.h"

#include <fmt/format.h>

#include "support/near_miss.h"

namespace nplab::mappings {
namespace {

SourceLocation location_of(const workloads::RuleSet& rules, std::size_t index) {
  return index < rules.size() ? rules.rules()[index].location : SourceLocation{rules.name(), 0, 0};
}

}  // namespace

ParameterValues resolve_parameters(const Manifest& manifest, const MappingFile& mapping,
                                   Diagnostics& diagnostics) {
  ParameterValues values;
  std::vector<std::string> known;
  for (const ParameterDeclaration& parameter : manifest.parameters) {
    known.push_back(parameter.name);
    values[parameter.name] = parameter.default_value;
    const auto chosen = mapping.parameters.find(parameter.name);
    if (chosen == mapping.parameters.end())
      continue;
    const auto& [value, location] = chosen->second;
    values[parameter.name] = value;
    if (parameter.min <= value && value <= parameter.max)
      continue;
    diagnostics.error(location,
                      fmt::format("parameter '{}' is {}; {} takes {} to {}", parameter.name, value,
                                  manifest.algorithm, parameter.min, parameter.max));
    values[parameter.name] = parameter.default_value;
  }
  for (const auto& [name, value] : mapping.parameters) {
    if (values.contains(name))
      continue;
    diagnostics.error(value.location,
                      fmt::format("{} has no parameter '{}'; {}", manifest.algorithm, name,
                                  suggestion(name, known)));
  }
  return values;
}

std::map<std::string, isa::MemorySpace> resolve_table_memories(const Manifest& manifest,
                                                               const MappingFile& mapping,
                                                               Diagnostics& diagnostics) {
  std::map<std::string, isa::MemorySpace> memories;
  std::vector<std::string> known;
  for (const TableDeclaration& table : manifest.tables) {
    known.push_back(table.name);
    memories[table.name] = table.memory;
  }
  for (const auto& [name, memory] : mapping.tables) {
    const TableDeclaration* table = manifest.find_table(name);
    if (table == nullptr) {
      diagnostics.error(memory.location, fmt::format("{} has no table '{}'; {}", manifest.algorithm,
                                                     name, suggestion(name, known)));
    } else {
      memories[name] = memory.value;
    }
  }
  return memories;
}

bool check_rule_set(const Manifest& manifest, const workloads::RuleSet& rules,
                    Diagnostics& diagnostics) {
  const auto errors_before = diagnostics.errors().size();
  const std::size_t dimensions = rules.fields().size();
  if (dimensions < manifest.min_dimensions || dimensions > manifest.max_dimensions) {
    diagnostics.error(
        location_of(rules, 0),
        fmt::format("the rules have {} dimensions; {} takes {} to {}", dimensions,
                    manifest.algorithm, manifest.min_dimensions, manifest.max_dimensions));
  }
  for (const workloads::FieldDefinition& field : rules.fields()) {
    if (field.bits <= manifest.field_bits)
      continue;
    diagnostics.error(location_of(rules, 0),
                      fmt::format("field '{}' has {} bits; {} takes up to {}", field.name,
                                  field.bits, manifest.algorithm, manifest.field_bits));
  }
  if (rules.size() == 0) {
    diagnostics.error(location_of(rules, 0), "the rule set has no rule; at least one is needed");
  } else if (rules.size() > manifest.max_rules) {
    diagnostics.error(
        location_of(rules, manifest.max_rules),
        fmt::format("the rule set is too large: {} rules; {} takes up to {}, and this is the first "
                    "beyond them{}{}",
                    rules.size(), manifest.algorithm, manifest.max_rules,
                    manifest.max_rules_because.empty() ? "" : ": ", manifest.max_rules_because));
  }
  return diagnostics.errors().size() == errors_before;
}

bool check_forward_ports(const ChipFacts& chip, const workloads::RuleSet& rules,
                         Diagnostics& diagnostics) {
  const auto errors_before = diagnostics.errors().size();
  for (const workloads::Rule& rule : rules.rules()) {
    if (rule.action.kind() != workloads::Action::Kind::kForward || rule.action.port() < chip.ports)
      continue;
    diagnostics.error(rule.location,
                      fmt::format("the rule forwards to port {}; {} has ports 0 to {}",
                                  rule.action.port(), chip.name, chip.ports - 1));
  }
  return diagnostics.errors().size() == errors_before;
}

}  // namespace nplab::mappings
