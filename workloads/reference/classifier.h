// Reference classifiers: the answers that every simulated packet is checked against.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/packets/key_layout.h"
#include "workloads/rules/rule_set.h"

namespace nplab::workloads {

// Looks at one rule after the other: slow, and plainly right.
class LinearScanClassifier {
 public:
  // Keeps a reference: the rule set must outlive the classifier.
  explicit LinearScanClassifier(const RuleSet& rules) : rules_(rules) {}
  explicit LinearScanClassifier(const RuleSet&&) = delete;

  // The first rule whose every range contains the key's value; nothing when there is none.
  [[nodiscard]] std::optional<RuleIndex> classify(const Key& key) const;
  // All such rules, in their order.
  [[nodiscard]] std::vector<RuleIndex> all_matches(const Key& key) const;

 private:
  const RuleSet& rules_;
};

// Finds the elementary interval of each value by binary search, ANDs the intervals' bit vectors
// word by word and stops at the first set bit (Lakshman and Stiliadis, "High-speed policy-based
// packet forwarding", SIGCOMM 1998). Where the vectors would need more than `memory_limit` bytes it
// scans linearly.
class ReferenceClassifier {
 public:
  static constexpr std::size_t kMemoryLimit = std::size_t{128} << 20;

  // Keeps a reference: the rule set must outlive the classifier.
  explicit ReferenceClassifier(const RuleSet& rules, std::size_t memory_limit = kMemoryLimit);
  explicit ReferenceClassifier(const RuleSet&&, std::size_t = kMemoryLimit) = delete;

  // The same answers as LinearScanClassifier. A key must have one value a field.
  [[nodiscard]] std::optional<RuleIndex> classify(const Key& key) const;
  [[nodiscard]] std::vector<RuleIndex> all_matches(const Key& key) const;
  [[nodiscard]] bool scans() const { return dimensions_.empty(); }  // the memory limit was met

 private:
  struct Dimension {
    std::vector<std::uint64_t> starts;   // of the elementary intervals, ascending; the first is 0
    std::vector<std::uint64_t> vectors;  // words_ for each interval, bit i of word w: rule 64 w + i
  };
  [[nodiscard]] Dimension build_dimension(std::size_t field) const;
  // Of the rules that match in each field, the vectors' words at the key.
  [[nodiscard]] std::vector<const std::uint64_t*> vectors_at(const Key& key) const;
  [[nodiscard]] std::vector<std::uint64_t> interval_starts(std::size_t field) const;

  const RuleSet& rules_;
  LinearScanClassifier scan_;
  std::size_t words_;  // of one bit vector
  std::vector<Dimension> dimensions_;
};

}  // namespace nplab::workloads
