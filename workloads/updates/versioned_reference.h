// The reference classifier of a rule set that changes: says whether an answer is right for some
// rule set between two times. Nothing is built anew when a rule comes or goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/reference/classifier.h"
#include "workloads/rules/rule_set.h"
#include "workloads/traffic/traffic.h"

namespace nplab::workloads {

class VersionedReference {
 public:
  // `rules` are all that are ever in force, `at_start` those that are before the first change,
  // `changing` those that may change, by rule. Keeps references to rules and traffic, which outlive
  // this.
  VersionedReference(const RuleSet& rules, const Traffic& traffic, std::vector<bool> at_start,
                     std::vector<bool> changing);

  // A rule that was absent is in force from `at` on, or the other way round. Times of a rule do not
  // decrease.
  void change(RuleIndex rule, std::uint64_t at);

  struct Judgement {
    bool is_right =
        false;  // the answer of some rule set in force from `from` to `to`, both included
    bool is_contested = false;  // these do not all give the same answer
  };
  [[nodiscard]] Judgement judge(std::size_t traffic_index, std::optional<RuleIndex> answer,
                                std::uint64_t from, std::uint64_t to);

  // The first rule that matches at a time.
  [[nodiscard]] std::optional<RuleIndex> answer_at(std::size_t traffic_index, std::uint64_t time);

 private:
  // The rules that match a packet, best first, as far as one that never changes.
  const std::vector<RuleIndex>& candidates(std::size_t traffic_index);
  [[nodiscard]] bool in_force(RuleIndex rule, std::uint64_t time) const;
  [[nodiscard]] std::optional<RuleIndex> first_of(const std::vector<RuleIndex>& rules,
                                                  std::uint64_t time) const;

  const Traffic& traffic_;
  ReferenceClassifier classifier_;
  std::vector<bool> at_start_;
  std::vector<bool> changing_;
  std::vector<std::vector<std::uint64_t>> changes_;  // by rule
  std::vector<std::optional<std::vector<RuleIndex>>>
      candidates_;  // by packet of the traffic, as they are asked for
};

}  // namespace nplab::workloads
