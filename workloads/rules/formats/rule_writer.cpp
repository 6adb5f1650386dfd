#include "workloads/rules/formats/rule_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "workloads/rules/header_set.h"
#include "workloads/rules/rule_statistics.h"

namespace nplab::workloads {
namespace {

std::string quad_text(std::uint64_t address) {
  return fmt::format("{}.{}.{}.{}", address >> 24, address >> 16 & 255, address >> 8 & 255,
                     address & 255);
}

std::string classbench_line(const Rule& rule) {
  const auto& ranges = rule.ranges;
  std::string line = "@";
  for (std::size_t i = 0; i < 2; ++i)
    line += fmt::format("{}/{}\t", quad_text(ranges[i].low), *prefix_length(ranges[i], 32));
  for (std::size_t i = 2; i < 4; ++i)
    line += fmt::format("{} : {}\t", ranges[i].low, ranges[i].high);
  const bool any = ranges[4].low != ranges[4].high;
  return line + fmt::format("0x{:02X}/0x{:02X}\t{}\n", any ? 0 : ranges[4].low, any ? 0 : 255,
                            to_string(rule.action));
}

// In the order of five_tuple_fields, or nothing when a field is none of them.
std::optional<std::vector<Rule>> as_five_tuples(const RuleSet& rules) {
  const auto& wanted = five_tuple_fields();
  std::vector<std::size_t> places;
  for (const FieldDefinition& field : rules.fields()) {
    const auto same = [&](const FieldDefinition& other) {
      return other.name == field.name && other.bits == field.bits;
    };
    const auto at = std::find_if(wanted.begin(), wanted.end(), same);
    if (at == wanted.end())
      return std::nullopt;
    places.push_back(static_cast<std::size_t>(at - wanted.begin()));
  }
  std::vector<Rule> converted;
  for (const Rule& rule : rules.rules()) {
    HeaderSet headers;
    for (std::size_t i = 0; i < places.size(); ++i) {
      headers.restrict_to(static_cast<HeaderField>(places[i]), ValueSet(rule.ranges[i]));
    }
    headers.append_rules(rule, converted);
  }
  return converted;
}

std::string yaml_value(const Range& range, const FieldDefinition& field) {
  if (range.low == range.high) {
    return field.match == MatchKind::kPrefix && field.bits == 32 ? quad_text(range.low)
                                                                 : std::to_string(range.low);
  }
  const auto length = prefix_length(range, field.bits);
  if (field.match == MatchKind::kPrefix && length) {
    return field.bits == 32 ? fmt::format("{}/{}", quad_text(range.low), *length)
                            : fmt::format("{}/{}", range.low, *length);
  }
  return fmt::format("{}-{}", range.low, range.high);
}

// In single quotes, where only the quote itself is special; control characters become blanks.
std::string yaml_quoted(std::string_view text) {
  std::string inside;
  for (const char c : text) {
    if (c == '\'')
      inside += "''";
    else
      inside += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return "'" + inside + "'";
}

const char* match_name(MatchKind match) {
  constexpr const char* kNames[] = {"exact", "prefix", "range"};
  return kNames[static_cast<std::size_t>(match)];
}

}  // namespace

std::optional<std::string> classbench_text(const RuleSet& rules, Diagnostics& diagnostics) {
  const auto five_tuples = as_five_tuples(rules);
  if (!five_tuples) {
    diagnostics.error({rules.name(), 0, 0},
                      "ClassBench lines hold source_address, destination_address, source_port, "
                      "destination_port and protocol; write other fields as YAML");
    return std::nullopt;
  }
  std::string text;
  for (const Rule& rule : *five_tuples)
    text += classbench_line(rule);
  return text;
}

std::string yaml_text(const RuleSet& rules) {
  std::string text = "fields:\n";
  for (const FieldDefinition& field : rules.fields()) {
    text += fmt::format("  - {{name: {}, bits: {}, match: {}", field.name, field.bits,
                        match_name(field.match));
    if (field.position)
      text += fmt::format(", at: {{byte: {}, bit: {}}}", field.position->byte, field.position->bit);
    text += "}\n";
  }
  text += "rules:\n";
  for (const Rule& rule : rules.rules()) {
    text += "  - {";
    if (!rule.name.empty())
      text += fmt::format("name: {}, ", yaml_quoted(rule.name));
    for (std::size_t i = 0; i < rule.ranges.size(); ++i) {
      const FieldDefinition& field = rules.fields()[i];
      if (rule.ranges[i] != any_value(field))
        text += fmt::format("{}: {}, ", field.name, yaml_value(rule.ranges[i], field));
    }
    text += fmt::format("action: '{}'}}\n", to_string(rule.action));
  }
  return text;
}

}  // namespace nplab::workloads
