#include "workloads/rules/rule_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <string_view>
#include <utility>

#include "workloads/base/field_value.h"
#include "workloads/base/text_lines.h"
#include "workloads/rules/formats/rule_notation.h"

namespace nplab::workloads {
namespace {

constexpr unsigned kMaxForwardPort = 255;

void report_unknown_notation(const InputFile& file, Diagnostics& diagnostics) {
  const auto lines = significant_lines(file.bytes);
  if (lines.empty()) {
    diagnostics.error({file.name, 0, 0}, "holds no rules");
    return;
  }
  // Listings that look like one that is read, and how that one is printed.
  constexpr std::pair<std::string_view, std::string_view> kNearForms[] = {
      {"table ", "the text of `nft list ruleset` is not read; print JSON: nft -j list ruleset"},
      {"Chain ", "the table of `iptables -L` is not read; print statements: iptables-save"},
      {"ipv4 access-list ",
       "access lists of IOS-XR are not read; those of IOS, NX-OS and ASA are"}};
  std::string what =
      "not a rule set; those that are read: ClassBench lines, which begin with '@'; YAML with "
      "'fields:'; iptables-save; nft -j list ruleset; access lists of Cisco IOS, NX-OS and ASA; "
      "OpenFlow sets (docs/workloads.md)";
  for (const auto& [begin, hint] : kNearForms) {
    if (lines.front().text.starts_with(begin))
      what = hint;
  }
  diagnostics.error({file.name, lines.front().number, words_of(lines.front().text).front().column},
                    std::move(what));
}

}  // namespace

std::optional<Action> parse_action(std::string_view text) {
  std::string word(text);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  if (word == "allow" || word == "accept" || word == "permit")
    return Action::allow();
  if (word == "deny" || word == "drop" || word == "reject")
    return Action::deny();
  constexpr std::string_view kForward = "forward";
  if (!word.starts_with(kForward) || word.size() < kForward.size() + 2)
    return std::nullopt;
  const char joint = word[kForward.size()];
  const std::string_view digits = std::string_view(word).substr(kForward.size() + 1);
  const ScannedNumber port = scan_number(digits);
  if (joint != ':' && joint != ' ')
    return std::nullopt;
  if (port.length != digits.size() || port.value > kMaxForwardPort)
    return std::nullopt;
  return Action::forward(static_cast<unsigned>(port.value));
}

RuleSet::RuleSet(std::string name, std::string sha256, std::vector<FieldDefinition> fields,
                 std::vector<Rule> rules, SkippedStatements skipped)
    : name_(std::move(name)),
      sha256_(std::move(sha256)),
      fields_(std::move(fields)),
      rules_(std::move(rules)),
      skipped_(std::move(skipped)) {
  for ([[maybe_unused]] const Rule& rule : rules_) {
    assert(rule.ranges.size() == fields_.size() && "a rule has one range for each field");
  }
}

std::optional<RuleSet> parse_rule_set(const InputFile& file, const RuleReading& reading,
                                      Diagnostics& diagnostics) {
  const RuleNotation* notation = notation_of(file.bytes);
  const bool has_chains = notation != nullptr && notation->chains == RuleNotation::Chains::kNamed;
  if (reading.chain && !has_chains) {
    diagnostics.error({file.name, 0, 0},
                      fmt::format("has no chain '{}': only iptables and nft listings have chains, "
                                  "and Cisco configurations have access lists",
                                  *reading.chain));
    return std::nullopt;
  }
  if (notation != nullptr)
    return notation->read(file, reading, diagnostics);
  report_unknown_notation(file, diagnostics);
  return std::nullopt;
}

std::optional<RuleSet> read_rule_set(const std::string& path, const RuleReading& reading,
                                     Diagnostics& diagnostics) {
  const auto file = read_input_file(path, diagnostics);
  if (!file)
    return std::nullopt;
  return parse_rule_set(*file, reading, diagnostics);
}

std::optional<RuleSet> parse_rule_set(const InputFile& file, Diagnostics& diagnostics) {
  return parse_rule_set(file, {}, diagnostics);
}

std::optional<RuleSet> read_rule_set(const std::string& path, Diagnostics& diagnostics) {
  return read_rule_set(path, {}, diagnostics);
}

}  // namespace nplab::workloads
