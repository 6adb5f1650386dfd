#include "workloads/rules/fragment_rules.h"

namespace nplab::workloads {
namespace {

constexpr unsigned kPortBits = 16;

bool is_port(const std::string& name, unsigned bits) {
  return bits == kPortBits && (name == "source_port" || name == "destination_port");
}

}  // namespace

RuleSet with_port_marks(const RuleSet& rules) {
  auto fields = rules.fields();
  auto marked = rules.rules();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (!is_port(fields[f].name, fields[f].bits))
      continue;
    const Range every_port = any_value(fields[f]);
    fields[f].bits = kMarkedPortBits;
    for (Rule& rule : marked) {
      if (rule.ranges[f] == every_port)
        rule.ranges[f] = any_value(fields[f]);
    }
  }
  return {rules.name(), rules.sha256(), std::move(fields), std::move(marked), rules.skipped()};
}

void mark_ports(KeyLayout& layout) {
  for (KeyField& field : layout.fields) {
    if (is_port(field.name, field.bits))
      field.bits = kMarkedPortBits;
  }
}

}  // namespace nplab::workloads
