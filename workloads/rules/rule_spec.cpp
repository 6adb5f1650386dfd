#include "workloads/rules/rule_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "workloads/base/spec_text.h"
#include "workloads/rules/rule_generator.h"

namespace nplab::workloads {
namespace {

constexpr std::string_view kRulePrefix = "gen:";

class RuleSpecParser {
 public:
  RuleSpecParser(std::string_view text, const SourceLocation& location, Diagnostics& diagnostics)
      : text_("the SPEC of rules", text, location, diagnostics) {
    spec_.text = text;
  }

  std::optional<RuleSpec> parse() {
    const std::size_t end = std::min(spec_.text.find(','), spec_.text.size());
    spec_.profile = spec_.text.substr(kRulePrefix.size(), end - kRulePrefix.size());
    if (spec_.profile.empty() || spec_.profile.find('=') != std::string::npos) {
      text_.fail(kRulePrefix.size(),
                 fmt::format("a SPEC of rules begins with a profile, gen:PROFILE,count=N,seed=S; "
                             "found '{}'",
                             spec_.text));
    }
    text_.each_setting(end + 1,
                       [this](const SpecSetting& setting) { parse_rule_setting(setting); });
    return text_.failed() ? std::nullopt : std::optional(spec_);
  }

 private:
  void parse_rule_setting(const SpecSetting& setting) {
    constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
    if (setting.key == "count") {
      if (const auto count =
              whole_within(setting.value, kFewestGeneratedRules, kMostGeneratedRules))
        spec_.count = static_cast<std::size_t>(*count);
      else
        text_.fail(setting.value_at,
                   fmt::format("expected a count of {} to {} rules, found '{}'",
                               kFewestGeneratedRules, kMostGeneratedRules, setting.value));
    } else if (setting.key == "seed") {
      if (const auto seed = whole_within(setting.value, 0, kAny))
        spec_.seed = *seed;
      else
        text_.fail(setting.value_at,
                   fmt::format("expected a number after seed=, found '{}'", setting.value));
    } else if (setting.key == "wildcards") {
      spec_.wildcards = text_.share(setting).value_or(spec_.wildcards);
    } else {
      text_.fail_unknown(setting, {"count", "seed", "wildcards"});
    }
  }

  SpecText text_;
  RuleSpec spec_;
};

}  // namespace

bool is_rule_spec(std::string_view text) {
  return text.starts_with(kRulePrefix);
}

std::optional<RuleSpec> parse_rule_spec(std::string_view text, const SourceLocation& location,
                                        Diagnostics& diagnostics) {
  return RuleSpecParser(text, location, diagnostics).parse();
}

}  // namespace nplab::workloads
