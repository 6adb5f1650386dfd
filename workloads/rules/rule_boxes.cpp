#include "workloads/rules/rule_boxes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace nplab::workloads {
namespace {

constexpr std::uint32_t kLargestLeaf = 16;  // comparing so few rules costs less than dividing them

}  // namespace

RuleBoxes::RuleBoxes(const RuleSet& rules) : fields_(rules.fields().size()) {
  intervals_.resize(rules.size() * fields_);
  rank_values(rules);
  order_.resize(rules.size());
  std::iota(order_.begin(), order_.end(), 0U);
  if (rules.size() > 0)
    build(0, static_cast<std::uint32_t>(rules.size()));
}

void RuleBoxes::rank_values(const RuleSet& rules) {
  for (std::size_t field = 0; field < fields_; ++field) {
    std::vector<std::uint64_t> ends;
    ends.reserve(2 * rules.size());
    for (const Rule& rule : rules.rules()) {
      ends.push_back(rule.ranges[field].low);
      ends.push_back(rule.ranges[field].high);
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    const auto rank = [&](std::uint64_t end) {
      return static_cast<std::uint32_t>(std::lower_bound(ends.begin(), ends.end(), end) -
                                        ends.begin());
    };
    for (std::size_t rule = 0; rule < rules.size(); ++rule) {
      const Range& range = rules.rules()[rule].ranges[field];
      intervals_[rule * fields_ + field] = {rank(range.low), rank(range.high)};
    }
    // Variances are compared as shares of the axis; an axis with more values divides better.
    const auto values = static_cast<double>(ends.size());
    weights_.push_back(std::log2(values + 1) / std::max(1.0, values * values));
  }
}

std::uint32_t RuleBoxes::build(std::uint32_t first, std::uint32_t last) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({first, last - first, 0, 0, 0});
  bound(nodes_[index]);
  Axis axis{};
  if (last - first <= kLargestLeaf || !widest_axis(nodes_[index], axis))
    return index;
  const std::uint32_t middle = divide(nodes_[index], axis);
  const std::uint32_t left = build(first, middle);
  const std::uint32_t right = build(middle, last);
  nodes_[index].left = left;
  nodes_[index].right = right;
  return index;
}

// Sets the node's earliest rule and appends its bounds.
void RuleBoxes::bound(Node& node) {
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::size_t at = bounds_.size();
  bounds_.resize(at + fields_, Bounds{{kMost, kMost}, {0, 0}});
  node.earliest = kMost;
  for (std::uint32_t place = 0; place < node.count; ++place) {
    const std::uint32_t rule = rule_at(node, place);
    node.earliest = std::min(node.earliest, rule);
    for (std::size_t field = 0; field < fields_; ++field) {
      const Interval& interval = interval_of(rule, field);
      Bounds& bounds = bounds_[at + field];
      bounds.least.low = std::min(bounds.least.low, interval.low);
      bounds.least.high = std::min(bounds.least.high, interval.high);
      bounds.greatest.low = std::max(bounds.greatest.low, interval.low);
      bounds.greatest.high = std::max(bounds.greatest.high, interval.high);
    }
  }
}

// The end of a field that varies most over the node's rules; none when all rules are equal.
bool RuleBoxes::widest_axis(const Node& node, Axis& axis) const {
  double most = 0;
  for (std::size_t field = 0; field < fields_; ++field) {
    for (const bool high : {false, true}) {
      double sum = 0, squares = 0;
      for (std::uint32_t place = 0; place < node.count; ++place) {
        const double end = value(rule_at(node, place), {field, high});
        sum += end;
        squares += end * end;
      }
      const double mean = sum / node.count;
      const double variance = (squares / node.count - mean * mean) * weights_[field];
      const Bounds& bounds = bounds_of(node)[field];
      const bool varies =
          high ? bounds.least.high < bounds.greatest.high : bounds.least.low < bounds.greatest.low;
      if (varies && variance > most) {
        most = variance;
        axis = {field, high};
      }
    }
  }
  return most > 0;
}

// Reorders the node's rules so that those below a value near the median come first; returns where
// the others begin. Both parts hold some, since the axis varies.
std::uint32_t RuleBoxes::divide(const Node& node, Axis axis) {
  const auto first = order_.begin() + node.first, last = first + node.count;
  const auto middle = first + node.count / 2;
  std::nth_element(first, middle, last, [&](std::uint32_t a, std::uint32_t b) {
    return value(a, axis) < value(b, axis);
  });
  const std::uint32_t median = value(*middle, axis);
  auto divided =
      std::partition(first, last, [&](std::uint32_t rule) { return value(rule, axis) < median; });
  if (divided == first) {
    divided = std::partition(first, last,
                             [&](std::uint32_t rule) { return value(rule, axis) <= median; });
  }
  return static_cast<std::uint32_t>(divided - order_.begin());
}

RuleBoxes::Relation RuleBoxes::relation(const Node& a, const Node& b) const {
  const Bounds *of_a = bounds_of(a), *of_b = bounds_of(b);
  bool all = true;
  for (std::size_t field = 0; field < fields_; ++field) {
    const Bounds &x = of_a[field], &y = of_b[field];
    if (x.least.low > y.greatest.high || y.least.low > x.greatest.high)
      return Relation::kNoneOverlap;
    all = all && x.greatest.low <= y.least.high && y.greatest.low <= x.least.high;
  }
  return all ? Relation::kAllOverlap : Relation::kSome;
}

bool RuleBoxes::overlap(std::uint32_t a, std::uint32_t b) const {
  bool all = true;
  for (std::size_t field = 0; field < fields_; ++field) {
    const Interval &x = interval_of(a, field), &y = interval_of(b, field);
    all = all && x.low <= y.high && y.low <= x.high;
  }
  return all;
}

bool RuleBoxes::is_covered_by_earlier(std::uint32_t rule) const {
  return covered_within(root(), rule);
}

bool RuleBoxes::covers(std::uint32_t outer, std::uint32_t inner) const {
  for (std::size_t field = 0; field < fields_; ++field) {
    const Interval &o = interval_of(outer, field), &i = interval_of(inner, field);
    if (o.low > i.low || o.high < i.high)
      return false;
  }
  return true;
}

bool RuleBoxes::covered_within(const Node& node, std::uint32_t rule) const {
  if (node.earliest >= rule)
    return false;
  bool all = true;
  const Bounds* bounds = bounds_of(node);
  for (std::size_t field = 0; field < fields_; ++field) {
    const Interval& inner = interval_of(rule, field);
    const Bounds& outer = bounds[field];
    if (outer.least.low > inner.low || outer.greatest.high < inner.high)
      return false;
    all = all && outer.greatest.low <= inner.low && outer.least.high >= inner.high;
  }
  if (all)
    return true;  // the earliest of them covers it, too
  if (!node.is_leaf())
    return covered_within(left_of(node), rule) || covered_within(right_of(node), rule);
  for (std::uint32_t place = 0; place < node.count; ++place) {
    const std::uint32_t other = rule_at(node, place);
    if (other < rule && covers(other, rule))
      return true;
  }
  return false;
}

}  // namespace nplab::workloads
