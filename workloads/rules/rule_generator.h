// Rule sets drawn from a profile, in the manner of ClassBench's filter set generator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "workloads/rules/rule_profile.h"
#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

inline constexpr std::size_t kFewestGeneratedRules = 1;
inline constexpr std::size_t kMostGeneratedRules = 1'000'000;

// Draws `count` different rules; the same for equal arguments on every platform. Kind and prefix
// lengths are drawn together by weight, ports from the profile's lists, addresses from two tries of
// its shapes. A rule drawn before is drawn anew; when that happens often, addresses open new
// branches, so large sets are wider than the profile's own. The narrower of two rules comes first
// (as ClassBench orders them), so no rule is covered by an earlier one. Nothing when the profile
// has not so many different rules.
std::optional<RuleSet> generate_rules(const RuleProfile& profile, std::size_t count,
                                      std::uint64_t seed,
                                      const std::function<void(double)>& progress = {});

}  // namespace nplab::workloads
