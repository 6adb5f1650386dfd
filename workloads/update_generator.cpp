// Updates drawn at random.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "support/near_miss.h"
#include "support/sha256.h"
#include "workloads/random.h"
#include "workloads/updates.h"

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
      : text_(text), location_(location), diagnostics_(diagnostics) {}

  std::optional<UpdateSpec> parse() {
    for (std::size_t at = kUpdatePrefix.size(); at < text_.size();) {
      const std::size_t end = std::min(text_.find(',', at), text_.size());
      parse_setting(at, text_.substr(at, end - at));
      at = end + 1;
    }
    return failed_ ? std::nullopt : std::optional(spec_);
  }

 private:
  void fail(std::size_t offset, std::string message) {
    SourceLocation location = location_;
    if (location.column > 0) location.column += static_cast<int>(offset);
    diagnostics_.error(location, std::move(message));
    failed_ = true;
  }

  void parse_setting(std::size_t at, std::string_view setting) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string_view::npos) return fail(at, fmt::format("expected KEY=VALUE, found '{}'", setting));
    const std::string_view key = setting.substr(0, equals);
    const std::string_view value = setting.substr(equals + 1);
    const std::size_t value_at = at + equals + 1;
    if (key == "rate" && value == "max") spec_.rate = 0;
    else if (key == "rate") whole(value_at, value, 1, kMostUpdateRate, spec_.rate);
    else if (key == "count") whole(value_at, value, 1, kMostUpdates, spec_.count);
    else if (key == "absent") share(value_at, value);
    else if (key == "start") whole(value_at, value, 0, kMostUpdateCycles, spec_.start);
    else if (key == "work") whole(value_at, value, 0, kMostUpdateCycles, spec_.pace.work_cycles);
    else if (key == "poll") whole(value_at, value, 0, kMostUpdateCycles, spec_.pace.poll_cycles);
    else fail(at, fmt::format("unknown key '{}' in the updates' SPEC; {}", key, suggestion(key, kUpdateKeys)));
  }

  void whole(std::size_t at, std::string_view value, std::uint64_t least, std::uint64_t most, std::uint64_t& into) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < least || number > most) {
      return fail(at, fmt::format("expected a number of {} to {}, found '{}'", least, most, value));
    }
    into = number;
  }

  void share(std::size_t at, std::string_view value) {
    double number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || !(number >= 0 && number <= 1)) {
      return fail(at, fmt::format("expected a share of 0 to 1, found '{}'", value));
    }
    spec_.absent = number;
  }

  std::string_view text_;
  SourceLocation location_;
  Diagnostics& diagnostics_;
  UpdateSpec spec_;
  bool failed_ = false;
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

bool is_update_spec(std::string_view text) { return text.starts_with(kUpdatePrefix); }

std::optional<RuleUpdates> generate_updates(std::string_view text, const RuleSet& rules, std::uint64_t seed,
                                            std::uint64_t cycles_per_second, const SourceLocation& location,
                                            Diagnostics& diagnostics) {
  const auto spec = UpdateSpecParser(text, location, diagnostics).parse();
  if (!spec) return std::nullopt;
  if (rules.size() < 2) {
    diagnostics.error(location, fmt::format("updates are drawn from at least 2 rules; {} has {}", rules.name(),
                                            rules.size()));
    return std::nullopt;
  }
  const std::string name(text);
  RuleUpdates made{name, sha256_hex(name), rules, std::vector<bool>(rules.size(), true),
                   std::vector<bool>(rules.size(), false), {}, 0, spec->pace};
  // One is absent, so that there is one to insert, and one in force.
  const auto share = static_cast<std::size_t>(spec->absent * static_cast<double>(rules.size()));
  const std::size_t left_out = std::clamp<std::size_t>(share, 1, rules.size() - 1);
  Random random(seed);
  RulePool present, absent;
  for (std::uint32_t rule = 0; rule < rules.size(); ++rule) present.put(rule);
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
    made.updates.push_back({inserts ? RuleUpdate::Kind::kInsert : RuleUpdate::Kind::kDelete, RuleIndex(rule),
                            spec->start + behind_start});
    made.changing[rule] = true;
  }
  made.most_in_force = most_in_force(made.at_start, made.updates);
  return made;
}

std::size_t most_in_force(const std::vector<bool>& at_start, const std::vector<RuleUpdate>& updates) {
  auto now = static_cast<std::size_t>(std::count(at_start.begin(), at_start.end(), true));
  std::size_t most = now;
  for (const RuleUpdate& update : updates) {
    if (update.kind == RuleUpdate::Kind::kInsert) most = std::max(most, ++now);
    else --now;
  }
  return most;
}

}  // namespace nplab::workloads
