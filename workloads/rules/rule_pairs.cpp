#include "workloads/rules/rule_pairs.h"

#include "workloads/rules/rule_boxes.h"

namespace nplab::workloads {
namespace {

// Counts overlapping pairs between the groups of two nodes.
class PairCounter {
 public:
  PairCounter(const RuleBoxes& boxes, const std::function<void(double)>& progress)
      : boxes_(boxes), progress_(progress) {}

  std::uint64_t count() {
    if (boxes_.size() > 0)
      within(boxes_.root());
    if (progress_)
      progress_(1);
    return pairs_;
  }

 private:
  using Node = RuleBoxes::Node;

  void within(const Node& node) {
    if (boxes_.relation(node, node) == RuleBoxes::Relation::kAllOverlap) {
      pairs_ += std::uint64_t{node.count} * (node.count - 1) / 2;
    } else if (node.is_leaf()) {
      for (std::size_t i = 1; i < node.count; ++i) {
        for (std::size_t j = 0; j < i; ++j)
          pairs_ += boxes_.overlap(boxes_.rule_at(node, i), boxes_.rule_at(node, j)) ? 1 : 0;
      }
    } else {
      within(boxes_.left_of(node));
      within(boxes_.right_of(node));
      between(boxes_.left_of(node), boxes_.right_of(node));
      report(node);
    }
  }

  void between(const Node& a, const Node& b) {
    switch (boxes_.relation(a, b)) {
      case RuleBoxes::Relation::kNoneOverlap: return;
      case RuleBoxes::Relation::kAllOverlap: pairs_ += std::uint64_t{a.count} * b.count; return;
      case RuleBoxes::Relation::kSome: break;
    }
    if (a.is_leaf() && b.is_leaf()) {
      for (std::size_t i = 0; i < a.count; ++i) {
        for (std::size_t j = 0; j < b.count; ++j)
          pairs_ += boxes_.overlap(boxes_.rule_at(a, i), boxes_.rule_at(b, j)) ? 1 : 0;
      }
      return;
    }
    const bool split_a = b.is_leaf() || (!a.is_leaf() && a.count >= b.count);
    const Node& split = split_a ? a : b;
    const Node& whole = split_a ? b : a;
    between(boxes_.left_of(split), whole);
    between(boxes_.right_of(split), whole);
  }

  // All pairs within a node are done: its share of all pairs.
  void report(const Node& node) {
    const double share = static_cast<double>(node.count) / static_cast<double>(boxes_.size());
    if (progress_ && node.count > boxes_.size() / kReports)
      progress_(share * share);
  }

  static constexpr std::size_t kReports = 64;
  const RuleBoxes& boxes_;
  const std::function<void(double)>& progress_;
  std::uint64_t pairs_ = 0;
};

}  // namespace

RulePairs compare_pairs(const RuleSet& rules, const std::function<void(double)>& progress) {
  const RuleBoxes boxes(rules);
  RulePairs pairs;
  for (std::uint32_t rule = 0; rule < boxes.size(); ++rule)
    pairs.covered += boxes.is_covered_by_earlier(rule) ? 1 : 0;
  pairs.overlapping = PairCounter(boxes, progress).count();
  return pairs;
}

}  // namespace nplab::workloads
