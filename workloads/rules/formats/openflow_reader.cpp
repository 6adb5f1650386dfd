#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "workloads/base/field_value.h"
#include "workloads/base/text_lines.h"
#include "workloads/packets/key_layout.h"
#include "workloads/rules/formats/rule_notation.h"

namespace nplab::workloads {
namespace {

std::string_view first_line(std::string_view bytes) {
  return bytes.substr(0, bytes.find('\n'));
}

// `sa:32P`
std::optional<FieldDefinition> parse_field_heading(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0)
    return std::nullopt;
  FieldDefinition field{std::string(text.substr(0, colon)), 0, MatchKind::kRange, {}};
  const char* first = text.data() + colon + 1;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, field.bits);
  if (error != std::errc() || end + 1 != last || field.bits < 1 || field.bits > 64)
    return std::nullopt;
  switch (*end) {
    case 'E': field.match = MatchKind::kExact; return field;
    case 'P': field.match = MatchKind::kPrefix; return field;
    case 'R': field.match = MatchKind::kRange; return field;
    default: return std::nullopt;
  }
}

std::vector<FieldDefinition> parse_heading(std::string_view line, FileErrors& errors) {
  std::vector<FieldDefinition> fields;
  const std::size_t hash = line.find('#');
  for (const Word& word : words_of(line.substr(hash + 1))) {
    const int column = word.column + static_cast<int>(hash) + 1;
    auto field = parse_field_heading(word.text);
    if (!field) {
      errors.at(1, column,
                fmt::format("'{}' is not a field; write name:bits and E, P or R (exact, prefix, "
                            "range), as in sa:32P",
                            word.text));
      continue;
    }
    const auto same_name = [&](const FieldDefinition& other) { return other.name == field->name; };
    if (std::any_of(fields.begin(), fields.end(), same_name)) {
      errors.at(1, column, fmt::format("field '{}' is named twice", field->name));
    }
    fields.push_back(std::move(*field));
  }
  return fields;
}

std::optional<Rule> parse_rule(const Line& line, const std::vector<FieldDefinition>& fields,
                               FileErrors& errors) {
  const auto words = words_of(line.text);
  if (words.size() != fields.size()) {
    errors.at(line.number, words.front().column,
              fmt::format("expected {} fields in a rule of this set, found {}", fields.size(),
                          words.size()));
    return std::nullopt;
  }
  Rule rule;
  rule.location = errors.location(line.number, words.front().column);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto value = parse_field_value(words[i].text, fields[i]);
    if (const auto* error = std::get_if<FieldValueError>(&value)) {
      errors.at(line.number, words[i].column + static_cast<int>(error->offset), error->message);
    } else {
      rule.ranges.push_back(std::get<Range>(value));
    }
  }
  if (rule.ranges.size() != fields.size())
    return std::nullopt;
  return rule;
}

bool has_heading(std::string_view bytes) {
  const auto words = words_of(first_line(bytes));
  if (words.size() < 2 || words[0].text != "#")
    return false;
  return std::all_of(words.begin() + 1, words.end(), [](const Word& word) {
    return word.text.find(':') != std::string_view::npos;
  });
}

std::optional<RuleSet> read_openflow_rules(const InputFile& file, const RuleReading& /*reading*/,
                                           Diagnostics& diagnostics) {
  FileErrors errors(file.name, diagnostics);
  auto fields = parse_heading(first_line(file.bytes), errors);
  if (errors.any())
    return std::nullopt;
  if (!are_header_fields(fields))
    pack_fields(fields);
  std::vector<Rule> rules;
  for (const Line& line : significant_lines(file.bytes)) {
    if (auto rule = parse_rule(line, fields, errors))
      rules.push_back(std::move(*rule));
  }
  if (!errors.any() && rules.empty())
    errors.at(0, 0, "holds no rules");
  if (errors.any())
    return std::nullopt;
  return RuleSet(file.name, file.sha256, std::move(fields), std::move(rules));
}

}  // namespace

// `# name:bits[E|P|R] ...`, then one word per field.
extern const RuleNotation kOpenFlow{RuleNotation::Chains::kNone, has_heading, read_openflow_rules};

}  // namespace nplab::workloads
