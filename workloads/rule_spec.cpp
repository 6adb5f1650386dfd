#include "workloads/rule_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "support/near_miss.h"
#include "workloads/rule_generator.h"

namespace nplab::workloads {
namespace {

constexpr std::string_view kRulePrefix = "gen:";

class RuleSpecParser {
 public:
  RuleSpecParser(std::string_view text, const SourceLocation& location, Diagnostics& diagnostics)
      : location_(location), diagnostics_(diagnostics) {
    spec_.text = text;
  }

  std::optional<RuleSpec> parse() {
    std::string_view rest = std::string_view(spec_.text).substr(kRulePrefix.size());
    spec_.profile = take(rest);
    if (spec_.profile.empty() || spec_.profile.find('=') != std::string::npos) {
      fail(fmt::format("a SPEC of rules begins with a profile, gen:PROFILE,count=N,seed=S; found '{}'", spec_.text));
    }
    while (!rest.empty()) parse_rule_setting(take(rest));
    if (failed_) return std::nullopt;
    return spec_;
  }

 private:
  void fail(std::string message) {
    diagnostics_.error(location_, std::move(message));
    failed_ = true;
  }

  static std::string_view take(std::string_view& rest) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view item = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return item;
  }

  void parse_rule_setting(std::string_view setting) {
    const std::size_t equals = std::min(setting.find('='), setting.size());
    const std::string_view key = setting.substr(0, equals);
    const std::string_view value = setting.substr(std::min(equals + 1, setting.size()));
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool is_number = error == std::errc() && end == value.data() + value.size();
    if (key != "count" && key != "seed") {
      fail(fmt::format("unknown key '{}' in the SPEC of rules; {}", key, suggestion(key, {"count", "seed"})));
    } else if (!is_number) {
      fail(fmt::format("expected a number behind {}=, found '{}'", key, value));
    } else if (key == "seed") {
      spec_.seed = number;
    } else if (number < kFewestGeneratedRules || number > kMostGeneratedRules) {
      fail(fmt::format("expected a count of {} to {} rules, found '{}'", kFewestGeneratedRules, kMostGeneratedRules,
                       value));
    } else {
      spec_.count = static_cast<std::size_t>(number);
    }
  }

  const SourceLocation& location_;
  Diagnostics& diagnostics_;
  RuleSpec spec_;
  bool failed_ = false;
};

}  // namespace

bool is_rule_spec(std::string_view text) { return text.starts_with(kRulePrefix); }

std::optional<RuleSpec> parse_rule_spec(std::string_view text, const SourceLocation& location,
                                        Diagnostics& diagnostics) {
  return RuleSpecParser(text, location, diagnostics).parse();
}

}  // namespace nplab::workloads
