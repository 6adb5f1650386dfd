// The rules of a set as boxes, one interval per field, in a bounding volume hierarchy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

// A binary tree of groups of rules. Each node knows, for every field, between which values its
// rules begin and between which they end, so that it can often answer for all of them.
class RuleBoxes {
 public:
  explicit RuleBoxes(const RuleSet& rules);

  struct Node {
    std::uint32_t first = 0;  // its rules' first place in the tree's order
    std::uint32_t count = 0;
    std::uint32_t earliest = 0;         // the lowest index of its rules
    std::uint32_t left = 0, right = 0;  // nodes; 0 in a leaf
    [[nodiscard]] bool is_leaf() const { return left == 0; }
  };

  [[nodiscard]] std::size_t size() const { return order_.size(); }
  [[nodiscard]] const Node& root() const { return nodes_.front(); }
  [[nodiscard]] const Node& left_of(const Node& node) const { return nodes_[node.left]; }
  [[nodiscard]] const Node& right_of(const Node& node) const { return nodes_[node.right]; }
  [[nodiscard]] std::uint32_t rule_at(const Node& node, std::size_t place) const {
    return order_[node.first + place];
  }

  enum class Relation { kNoneOverlap, kAllOverlap, kSome };
  // Of every rule of one node with every rule of the other.
  [[nodiscard]] Relation relation(const Node& a, const Node& b) const;
  [[nodiscard]] bool overlap(std::uint32_t a, std::uint32_t b) const;
  // Does one rule before `rule` match all headers that it matches?
  [[nodiscard]] bool is_covered_by_earlier(std::uint32_t rule) const;

 private:
  // Of one field, as ranks among the field's ends of ranges, which keep the order of the values.
  struct Interval {
    std::uint32_t low, high;
  };
  struct Bounds {
    Interval least, greatest;  // the lowest and the highest of the lows and of the highs
  };
  // A field and one of its two ends, by which a group is divided.
  struct Axis {
    std::size_t field;
    bool high;
  };

  void rank_values(const RuleSet& rules);
  std::uint32_t build(std::uint32_t first, std::uint32_t last);
  void bound(Node& node);
  [[nodiscard]] bool widest_axis(const Node& node, Axis& axis) const;
  std::uint32_t divide(const Node& node, Axis axis);
  [[nodiscard]] std::uint32_t value(std::uint32_t rule, Axis axis) const {
    const Interval& interval = interval_of(rule, axis.field);
    return axis.high ? interval.high : interval.low;
  }
  [[nodiscard]] const Interval& interval_of(std::uint32_t rule, std::size_t field) const {
    return intervals_[rule * fields_ + field];
  }
  [[nodiscard]] const Bounds* bounds_of(const Node& node) const {
    return &bounds_[static_cast<std::size_t>(&node - nodes_.data()) * fields_];
  }
  [[nodiscard]] bool covers(std::uint32_t outer, std::uint32_t inner) const;
  [[nodiscard]] bool covered_within(const Node& node, std::uint32_t rule) const;

  std::size_t fields_;
  std::vector<Interval> intervals_;   // by rule, then field
  std::vector<double> weights_;       // by field: makes variances of ranks comparable
  std::vector<std::uint32_t> order_;  // rules; those of a node are neighbours
  std::vector<Node> nodes_;
  std::vector<Bounds> bounds_;  // by node, then field
};

}  // namespace nplab::workloads
