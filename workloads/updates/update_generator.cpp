// Updates drawn at random.
#include <fmt/format.h>

#include <algorithm>

#include "support/sha256.h"
#include "workloads/base/random.h"
#include "workloads/base/spec_text.h"
#include "workloads/updates/updates.h"

namespace nplab::workloads {
namespace {

constexpr std::string_view kUpdatePrefix = "gen:";
constexpr std::uint64_t kMostUpdates = 10'000'000;
constexpr std::uint64_t kMostUpdateRate = 1'000'000'000;
constexpr std::uint64_t kMostUpdateCycles = 1'000'000'000'000;
const std::vector<std::string> kUpdateKeys = {"rate", "count", "absent", "start", "work", "poll"};

struct UpdateSpec {
  std::uint64_t rate = 0;  // a second; 0: no update waits
  std::uint64_t count = 20'000;
  double absent = 0.1;
  std::uint64_t start = 10'000;
  UpdatePace pace;
};

class UpdateSpecParser {
 public:
  UpdateSpecParser(std::string_view text, const SourceLocation& location, Diagnostics& diagnostics)
      : text_("the updates' SPEC", text, location, diagnostics) {}

  std::optional<UpdateSpec> parse() {
    text_.each_setting(kUpdatePrefix.size(),
                       [this](const SpecSetting& setting) { parse_setting(setting); });
    return text_.failed() ? std::nullopt : std::optional(spec_);
  }

 private:
  void parse_setting(const SpecSetting& setting) {
    if (setting.key == "rate" && setting.value == "max")
      spec_.rate = 0;
    else if (setting.key == "rate")
      whole(setting, 1, kMostUpdateRate, spec_.rate);
    else if (setting.key == "count")
      whole(setting, 1, kMostUpdates, spec_.count);
    else if (setting.key == "absent")
      spec_.absent = text_.share(setting).value_or(spec_.absent);
    else if (setting.key == "start")
      whole(setting, 0, kMostUpdateCycles, spec_.start);
    else if (setting.key == "work")
      whole(setting, 0, kMostUpdateCycles, spec_.pace.work_cycles);
    else if (setting.key == "poll")
      whole(setting, 0, kMostUpdateCycles, spec_.pace.poll_cycles);
    else
      text_.fail_unknown(setting, kUpdateKeys);
  }

  void whole(const SpecSetting& setting, std::uint64_t least, std::uint64_t most,
             std::uint64_t& into) {
    if (const auto number = whole_within(setting.value, least, most)) {
      into = *number;
    } else {
      text_.fail(setting.value_at, fmt::format("expected a number of {} to {}, found '{}'", least,
                                               most, setting.value));
    }
  }

  SpecText text_;
  UpdateSpec spec_;
};

// Some rules in no order, to draw from.
class RulePool {
 public:
  void put(std::uint32_t rule) { rules_.push_back(rule); }
  std::uint32_t draw(Random& random) {
    std::swap(rules_[random.below(rules_.size())], rules_.back());
    const std::uint32_t rule = rules_.back();
    rules_.pop_back();
    return rule;
  }

 private:
  std::vector<std::uint32_t> rules_;
};

}  // namespace

bool is_update_spec(std::string_view text) {
  return text.starts_with(kUpdatePrefix);
}

std::optional<RuleUpdates> generate_updates(std::string_view text, const RuleSet& rules,
                                            std::uint64_t seed, std::uint64_t cycles_per_second,
                                            const SourceLocation& location,
                                            Diagnostics& diagnostics) {
  const auto spec = UpdateSpecParser(text, location, diagnostics).parse();
  if (!spec)
    return std::nullopt;
  if (rules.size() < 2) {
    diagnostics.error(location, fmt::format("updates are drawn from at least 2 rules; {} has {}",
                                            rules.name(), rules.size()));
    return std::nullopt;
  }
  const std::string name(text);
  RuleUpdates made{name,
                   sha256_hex(name),
                   rules,
                   std::vector<bool>(rules.size(), true),
                   std::vector<bool>(rules.size(), false),
                   {},
                   0,
                   spec->pace};
  // One is absent, so that there is one to insert, and one in force.
  const auto share = static_cast<std::size_t>(spec->absent * static_cast<double>(rules.size()));
  const std::size_t left_out = std::clamp<std::size_t>(share, 1, rules.size() - 1);
  Random random(seed);
  RulePool present, absent;
  for (std::uint32_t rule = 0; rule < rules.size(); ++rule)
    present.put(rule);
  for (std::size_t i = 0; i < left_out; ++i) {
    const std::uint32_t rule = present.draw(random);
    made.at_start[rule] = false;
    absent.put(rule);
  }
  for (std::uint64_t i = 0; i < spec->count; ++i) {
    const bool inserts = i % 2 == 0;
    const std::uint32_t rule = (inserts ? absent : present).draw(random);
    (inserts ? present : absent).put(rule);
    const std::uint64_t behind_start = spec->rate == 0 ? 0 : i * cycles_per_second / spec->rate;
    made.updates.push_back({inserts ? RuleUpdate::Kind::kInsert : RuleUpdate::Kind::kDelete,
                            RuleIndex(rule), spec->start + behind_start});
    made.changing[rule] = true;
  }
  made.most_in_force = most_in_force(made.at_start, made.updates);
  return made;
}

std::size_t most_in_force(const std::vector<bool>& at_start,
                          const std::vector<RuleUpdate>& updates) {
  auto now = static_cast<std::size_t>(std::count(at_start.begin(), at_start.end(), true));
  std::size_t most = now;
  for (const RuleUpdate& update : updates) {
    if (update.kind == RuleUpdate::Kind::kInsert)
      most = std::max(most, ++now);
    else
      --now;
  }
  return most;
}

}  // namespace nplab::workloads
