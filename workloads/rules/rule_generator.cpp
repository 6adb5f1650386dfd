#include "workloads/rules/rule_generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "support/sha256.h"
#include "workloads/base/random.h"

namespace nplab::workloads {
namespace {

__extension__ using Volume = unsigned __int128;  // headers that a rule matches: at most 2^104

constexpr unsigned kRepeatsBeforeFresh = 4;  // draws in vain before addresses open new branches
constexpr unsigned kRepeatsBeforeGivingUp = 100'000;
constexpr std::size_t kProgressStep = 1024;

// Draws one of some things by their weights.
template <typename Thing>
class Weighted {
 public:
  void add(Thing thing, std::size_t weight) {
    things_.push_back(std::move(thing));
    ends_.push_back((ends_.empty() ? 0 : ends_.back()) + weight);
  }
  const Thing& draw(Random& random) const {
    const std::uint64_t at = random.below(ends_.back());
    return things_[static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), at) -
                                            ends_.begin())];
  }

 private:
  std::vector<Thing> things_;
  std::vector<std::uint64_t> ends_;  // running sums of weights
};

struct DrawnPorts {
  explicit DrawnPorts(const PortProfile& profile) {
    for (const auto& [port, weight] : profile.exact)
      exact.add({port, port}, weight);
    for (const auto& [ends, weight] : profile.ranges)
      ranges.add({ends.first, ends.second}, weight);
  }
  Range draw(PortClass ports, Random& random) const {
    switch (ports) {
      case PortClass::kAny: return {0, 65535};
      case PortClass::kLow: return {0, 1023};
      case PortClass::kHigh: return {1024, 65535};
      case PortClass::kRange: return ranges.draw(random);
      case PortClass::kExact: return exact.draw(random);
    }
    return {};
  }
  Weighted<Range> exact, ranges;
};

class RuleSource {
 public:
  RuleSource(const RuleProfile& profile, Random& random)
      : random_(random),
        source_ports_(profile.source_ports),
        destination_ports_(profile.destination_ports),
        sources_(profile.source_trie, random),
        destinations_(profile.destination_trie, random) {
    for (const auto& [kind, lengths] : profile.kinds) {
      for (const auto& [pair, weight] : lengths)
        shapes_.add({kind, pair}, weight);
    }
  }

  std::vector<Range> draw(AddressTrie::Novelty novelty) {
    const auto& [kind, lengths] = shapes_.draw(random_);
    std::vector<Range> ranges;
    ranges.push_back(sources_.draw(lengths.first, novelty));
    ranges.push_back(destinations_.draw(lengths.second, novelty));
    ranges.push_back(source_ports_.draw(kind.source_ports, random_));
    ranges.push_back(destination_ports_.draw(kind.destination_ports, random_));
    ranges.push_back(kind.protocol ? Range{*kind.protocol, *kind.protocol} : Range{0, 255});
    return ranges;
  }

 private:
  Random& random_;
  Weighted<std::pair<RuleKind, TupleStatistics::LengthPair>> shapes_;
  DrawnPorts source_ports_, destination_ports_;
  AddressTrie sources_, destinations_;
};

Volume volume(const Rule& rule) {
  Volume product = 1;
  for (const Range& range : rule.ranges)
    product *= range.high - range.low + 1;
  return product;
}

// Which of two rules is the same is decided by their ranges alone.
struct ByRanges {
  bool operator()(const std::vector<Range>& a, const std::vector<Range>& b) const {
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(), [](const Range& x, const Range& y) {
          return std::pair(x.low, x.high) < std::pair(y.low, y.high);
        });
  }
};

std::vector<Rule> narrow_first(std::vector<Rule> rules) {
  std::vector<std::pair<Volume, std::size_t>> order;
  for (std::size_t i = 0; i < rules.size(); ++i)
    order.push_back({volume(rules[i]), i});
  std::sort(order.begin(), order.end());
  std::vector<Rule> sorted;
  for (const auto& [size, i] : order)
    sorted.push_back(std::move(rules[i]));
  return sorted;
}

}  // namespace

std::optional<RuleSet> generate_rules(const RuleProfile& profile, std::size_t count,
                                      std::uint64_t seed,
                                      const std::function<void(double)>& progress) {
  Random random(seed);
  RuleSource source(profile, random);
  std::set<std::vector<Range>, ByRanges> seen;
  std::vector<Rule> rules;
  for (unsigned repeats = 0; rules.size() < count;) {
    const bool fresh = repeats >= kRepeatsBeforeFresh;
    auto ranges = source.draw(fresh ? AddressTrie::Novelty::kFresh : AddressTrie::Novelty::kUsual);
    if (!seen.insert(ranges).second) {
      if (++repeats == kRepeatsBeforeGivingUp)
        return std::nullopt;
      continue;
    }
    repeats = 0;
    rules.push_back({{}, std::move(ranges), Action::allow(), {}});
    if (progress && rules.size() % kProgressStep == 0) {
      progress(static_cast<double>(rules.size()) / static_cast<double>(count));
    }
  }
  const std::string name =
      fmt::format("{} rules of profile {}, seed {}", count, profile.name, seed);
  return RuleSet(name, sha256_hex(name), five_tuple_fields(), narrow_first(std::move(rules)));
}

}  // namespace nplab::workloads
