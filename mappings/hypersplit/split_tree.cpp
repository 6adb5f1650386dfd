#include "split_tree.h"

#include <algorithm>
#include <map>

namespace nplab::mappings::hypersplit {
namespace {

using hicuts::Box;
using hicuts::LeafRules;
using workloads::Range;

struct Split {
  unsigned field = 0;
  std::uint64_t value = 0;
};

// The segments of a field of a node, and how many rules overlap each.
struct Segments {
  std::vector<std::uint64_t> lows;
  std::vector<std::size_t> rules;
  std::size_t sum = 0;  // of `rules`

  [[nodiscard]] double mean() const {
    return static_cast<double>(sum) / static_cast<double>(lows.size());
  }
};

class Builder {
 public:
  Builder(const workloads::RuleSet& set, const TreeLimits& limits) : set_(set), limits_(limits) {}

  std::optional<Tree> build(LeafRules rules, const Box& box) {
    tree_.nodes.emplace_back();
    build_node(0, box, std::move(rules), 0);
    if (tree_.nodes.size() > limits_.most_nodes)
      return std::nullopt;
    tree_.leaves = leaves_.leaves();
    return std::move(tree_);
  }

 private:
  [[nodiscard]] const Range& range(std::uint32_t rule, std::size_t field) const {
    return set_.rules()[rule].ranges[field];
  }

  void build_node(std::size_t node, const Box& box, LeafRules rules, std::size_t level) {
    hicuts::drop_hidden(set_, box, rules);
    const auto split = rules.size() <= limits_.binth ? std::nullopt : choose_split(box, rules);
    if (!split) {
      tree_.largest_leaf = std::max(tree_.largest_leaf, rules.size());
      tree_.nodes[node].leaf = leaves_.number_of(rules);
      return;
    }
    if (tree_.nodes.size() > limits_.most_nodes)
      return;  // build() returns nothing
    const std::size_t first = tree_.nodes.size();
    tree_.depth = std::max(tree_.depth, level + 1);
    tree_.nodes[node] = {false, split->field, split->value, first, 0};
    tree_.nodes.resize(first + 2);
    Box below = box;
    below[split->field].high = split->value;
    build_node(first, below, rules_in(below, split->field, rules), level + 1);
    Box above = box;
    above[split->field].low = split->value + 1;
    build_node(first + 1, above, rules_in(above, split->field, rules), level + 1);
  }

  [[nodiscard]] LeafRules rules_in(const Box& box, unsigned field, const LeafRules& rules) const {
    return hicuts::rules_in(set_, rules, field, box[field]);
  }

  [[nodiscard]] std::optional<Split> choose_split(const Box& box, const LeafRules& rules) const {
    std::optional<unsigned> field;
    Segments best;
    for (unsigned f = 0; f < box.size(); ++f) {
      Segments segments = segments_of(f, box[f], rules);
      if (segments.lows.size() < 2 || (field && segments.mean() >= best.mean()))
        continue;
      field = f;
      best = std::move(segments);
    }
    if (!field)
      return std::nullopt;
    return Split{*field, middle_of(best)};
  }

  [[nodiscard]] Segments segments_of(unsigned field, const Range& part,
                                     const LeafRules& rules) const {
    std::map<std::uint64_t, std::int64_t> changes{{part.low, 0}};
    for (const std::uint32_t rule : rules) {
      const Range& own = range(rule, field);
      ++changes[std::max(own.low, part.low)];
      if (own.high < part.high)
        --changes[own.high + 1];
    }
    Segments segments;
    std::int64_t inside = 0;
    for (const auto& [low, change] : changes) {
      inside += change;
      segments.lows.push_back(low);
      segments.rules.push_back(static_cast<std::size_t>(inside));
      segments.sum += static_cast<std::size_t>(inside);
    }
    return segments;
  }

  // The last value of the segment with which half of the sum is reached; never of the last segment.
  static std::uint64_t middle_of(const Segments& segments) {
    std::size_t sum = 0;
    for (std::size_t i = 0; i + 2 < segments.lows.size(); ++i) {
      sum += segments.rules[i];
      if (2 * sum >= segments.sum)
        return segments.lows[i + 1] - 1;
    }
    return segments.lows.back() - 1;
  }

  const workloads::RuleSet& set_;
  const TreeLimits limits_;
  Tree tree_;
  hicuts::LeafSet leaves_;
};

}  // namespace

std::optional<Tree> make_tree(const workloads::RuleSet& set, const hicuts::LeafRules& rules,
                              const Box& box, const TreeLimits& limits) {
  return Builder(set, limits).build(rules, box);
}

}  // namespace nplab::mappings::hypersplit
