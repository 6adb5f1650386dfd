#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "support/yaml.h"
#include "workloads/base/field_value.h"
#include "workloads/base/text_lines.h"
#include "workloads/packets/frame_position.h"
#include "workloads/rules/formats/rule_notation.h"

namespace nplab::workloads {
namespace {

// Reads fields, then rules; rules are judged only when every field is right.
class YamlRuleReader {
 public:
  YamlRuleReader(const InputFile& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), errors_before_(diagnostics.errors().size()) {}

  std::optional<RuleSet> read() {
    const auto document = yaml::parse(file_.bytes, file_.name, diagnostics_);
    if (!document)
      return std::nullopt;
    document->reject_unknown_keys({"fields", "rules"}, diagnostics_);
    if (!document->is_map())
      return std::nullopt;
    const yaml::Node* fields = document->require("fields", diagnostics_);
    const yaml::Node* rules = document->require("rules", diagnostics_);
    if (fields != nullptr)
      read_list(*fields, "fields", [&](const yaml::Node& item) { read_field(item); });
    if (rules != nullptr && !failed())
      read_list(*rules, "rules", [&](const yaml::Node& item) { read_rule(item); });
    if (failed())
      return std::nullopt;
    return RuleSet(file_.name, file_.sha256, std::move(fields_), std::move(rules_));
  }

 private:
  [[nodiscard]] bool failed() const { return diagnostics_.errors().size() != errors_before_; }
  void error(const yaml::Node& node, std::string message) {
    diagnostics_.error(node.location(), std::move(message));
  }

  template <typename ReadItem>
  void read_list(const yaml::Node& list, const char* what, ReadItem read_item) {
    if (!list.is_list() || list.items().empty()) {
      error(list, fmt::format("'{}' must be a list of at least one item", what));
      return;
    }
    for (const yaml::Node& item : list.items()) {
      if (diagnostics_.errors().size() - errors_before_ >= FileErrors::kShown) {
        error(item, FileErrors::kNotShown);
        return;
      }
      if (item.is_map()) {
        read_item(item);
      } else {
        error(item, fmt::format("an item of '{}' must be a map", what));
      }
    }
  }

  void read_field(const yaml::Node& node) {
    node.reject_unknown_keys({"name", "bits", "match", "at"}, diagnostics_);
    const yaml::Node* name = node.require("name", diagnostics_);
    const yaml::Node* bits = node.require("bits", diagnostics_);
    FieldDefinition field;
    if (name != nullptr)
      field.name = name->as_string(diagnostics_).value_or("");
    if (bits != nullptr)
      read_bits(*bits, field);
    if (const yaml::Node* match = node.find("match"))
      read_match(*match, field);
    if (const yaml::Node* at = node.find("at"))
      field.position = read_frame_position(*at, field.bits, diagnostics_);
    const auto same_name = [&](const FieldDefinition& other) { return other.name == field.name; };
    if (name != nullptr && std::any_of(fields_.begin(), fields_.end(), same_name)) {
      error(*name, fmt::format("field '{}' is named twice", field.name));
    }
    if (name != nullptr && (field.name == "name" || field.name == "action")) {
      error(*name,
            fmt::format("a field cannot be named '{}', because rules use that key", field.name));
    }
    fields_.push_back(std::move(field));
  }

  void read_bits(const yaml::Node& node, FieldDefinition& field) {
    const auto bits = node.as_integer(diagnostics_);
    if (!bits)
      return;
    if (*bits < 1 || *bits > 64)
      return error(node, fmt::format("expected a field of 1 to 64 bits, found {}", *bits));
    field.bits = static_cast<unsigned>(*bits);
  }

  void read_match(const yaml::Node& node, FieldDefinition& field) {
    const auto word = node.as_string(diagnostics_);
    if (!word)
      return;
    if (*word == "exact")
      field.match = MatchKind::kExact;
    else if (*word == "prefix")
      field.match = MatchKind::kPrefix;
    else if (*word == "range")
      field.match = MatchKind::kRange;
    else
      error(node, fmt::format("expected a match of exact, prefix or range, found '{}'", *word));
  }

  void read_rule(const yaml::Node& node) {
    std::vector<std::string> known;
    for (const FieldDefinition& field : fields_)
      known.push_back(field.name);
    known.insert(known.end(), {"name", "action"});
    node.reject_unknown_keys(known, diagnostics_);
    Rule rule;
    rule.location = node.location();
    if (const yaml::Node* name = node.find("name"))
      rule.name = name->as_string(diagnostics_).value_or("");
    for (const FieldDefinition& field : fields_)
      rule.ranges.push_back(read_range(node.find(field.name), field));
    if (const yaml::Node* action = node.find("action"))
      read_action(*action, rule);
    rules_.push_back(std::move(rule));
  }

  Range read_range(const yaml::Node* node, const FieldDefinition& field) {
    if (node == nullptr)
      return any_value(field);
    const auto text = node->as_string(diagnostics_);
    if (!text)
      return {};
    const auto value = parse_field_value(*text, field);
    if (const auto* range = std::get_if<Range>(&value))
      return *range;
    const auto& problem = std::get<FieldValueError>(value);
    SourceLocation location = node->location();
    location.column += static_cast<int>(problem.offset);
    diagnostics_.error(location, problem.message);
    return {};
  }

  void read_action(const yaml::Node& node, Rule& rule) {
    const auto text = node.as_string(diagnostics_);
    if (!text)
      return;
    const auto action = parse_action(*text);
    if (!action)
      return error(node, fmt::format("unknown action '{}'; {}", *text, kActionHelp));
    rule.action = *action;
  }

  const InputFile& file_;
  Diagnostics& diagnostics_;
  std::size_t errors_before_;
  std::vector<FieldDefinition> fields_;
  std::vector<Rule> rules_;
};

bool may_be_map(std::string_view bytes) {
  const auto lines = significant_lines(bytes);
  if (lines.empty())
    return false;
  const Word first = words_of(lines.front().text).front();
  if (std::isdigit(static_cast<unsigned char>(first.text.front())))
    return false;
  return std::any_of(lines.begin(), lines.end(), [](const Line& line) {
    return line.text.find(':') != std::string_view::npos;
  });
}

std::optional<RuleSet> read_yaml_rules(const InputFile& file, const RuleReading& /*reading*/,
                                       Diagnostics& diagnostics) {
  return YamlRuleReader(file, diagnostics).read();
}

}  // namespace

// fields: a list of {name, bits, match?: exact|prefix|range, at?: {byte, bit?}}; rules: a list of
// {name?, FIELD: value, action?}. A field that a rule leaves out takes any value.
extern const RuleNotation kYamlRules{RuleNotation::Chains::kNone, may_be_map, read_yaml_rules};

}  // namespace nplab::workloads
