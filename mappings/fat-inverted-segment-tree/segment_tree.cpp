#include "segment_tree.h"

#include <algorithm>
#include <map>
#include <set>

#include "mappings/grid-of-tries/rule_lists.h"

namespace nplab::mappings::segment_tree {
namespace {

using workloads::Range;

// The least number whose power `levels` is at least `segments`.
std::size_t fan_out_for(std::size_t segments, unsigned levels) {
  for (std::size_t fan_out = 2;; ++fan_out) {
    std::size_t reached = 1;
    for (unsigned i = 0; i < levels && reached < segments; ++i)
      reached *= fan_out;
    if (reached >= segments)
      return fan_out;
  }
}

class Builder {
 public:
  Builder(const workloads::RuleSet& rules, unsigned levels) : rules_(rules) {
    std::set<std::uint64_t> lows{0};
    const std::uint64_t last = workloads::max_value(rules.fields()[0].bits);
    for (const auto& rule : rules.rules()) {
      lows.insert(rule.ranges[0].low);
      if (rule.ranges[0].high < last)
        lows.insert(rule.ranges[0].high + 1);
    }
    tree_.lows.assign(lows.begin(), lows.end());
    tree_.fan_out = fan_out_for(tree_.lows.size(), levels);
    make_levels();
  }

  SegmentTree build() {
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule)
      add(rule);
    return std::move(tree_);
  }

 private:
  void make_levels() {
    std::size_t count = tree_.lows.size();
    while (true) {
      const std::size_t first = tree_.nodes.size();
      levels_.push_back({first, count});
      tree_.nodes.resize(first + count);
      if (count == 1)
        return;
      for (std::size_t i = 0; i < count; ++i)
        tree_.nodes[first + i].parent = first + count + i / tree_.fan_out;
      count = (count + tree_.fan_out - 1) / tree_.fan_out;
    }
  }

  [[nodiscard]] std::size_t segment_of(std::uint64_t value) const {
    const auto above = std::upper_bound(tree_.lows.begin(), tree_.lows.end(), value);
    return static_cast<std::size_t>(above - tree_.lows.begin()) - 1;
  }

  // Of a level's nodes `from` to `to`, which the rule covers, those whose siblings it covers, too,
  // are left to their parents.
  void add(std::uint32_t rule) {
    std::size_t from = segment_of(rules_.rules()[rule].ranges[0].low);
    std::size_t to = segment_of(rules_.rules()[rule].ranges[0].high) + 1;  // after the last
    for (const Level& level : levels_) {
      const std::size_t first_parent = (from + tree_.fan_out - 1) / tree_.fan_out;
      // The last parent may have fewer children.
      const std::size_t end_parent =
          to == level.count ? (to + tree_.fan_out - 1) / tree_.fan_out : to / tree_.fan_out;
      const bool leaves_any = level.count > 1 && first_parent < end_parent;
      for (std::size_t i = from; i < to; ++i) {
        const std::size_t parent = i / tree_.fan_out;
        if (!leaves_any || parent < first_parent || parent >= end_parent)
          tree_.nodes[level.first + i].rules.push_back(rule);
      }
      if (!leaves_any)
        return;
      from = first_parent;
      to = end_parent;
    }
  }

  struct Level {
    std::size_t first = 0;  // its first node
    std::size_t count = 0;
  };

  const workloads::RuleSet& rules_;
  SegmentTree tree_;
  std::vector<Level> levels_;  // the segments first
};

}  // namespace

SegmentTree make_tree(const workloads::RuleSet& rules, unsigned levels) {
  return Builder(rules, levels).build();
}

Intervals make_intervals(const workloads::RuleSet& set, const hicuts::LeafRules& rules) {
  struct Change {
    std::vector<std::uint32_t> begin, end;
  };
  std::map<std::uint64_t, Change> changes{{0, {}}};
  const bool has_second = set.fields().size() > 1;
  const std::uint64_t last = has_second ? workloads::max_value(set.fields()[1].bits) : 1;
  for (const std::uint32_t rule : rules) {
    const Range range = has_second ? set.rules()[rule].ranges[1] : Range{0, last};
    changes[range.low].begin.push_back(rule);
    if (range.high < last)
      changes[range.high + 1].end.push_back(rule);
  }
  Intervals intervals;
  std::set<std::uint32_t> inside;
  for (const auto& [low, change] : changes) {
    for (const std::uint32_t rule : change.end)
      inside.erase(rule);
    inside.insert(change.begin.begin(), change.begin.end());
    intervals.lows.push_back(low);
    tries::drop_hidden(set, intervals.rules.emplace_back(inside.begin(), inside.end()));
  }
  return intervals;
}

}  // namespace nplab::mappings::segment_tree
