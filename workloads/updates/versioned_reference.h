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
  void change(RuleIndex rule, std::uint64_t at) {
    begin_change(rule, at);
    end_change(rule, at);
  }
  // ... from some time between the two on.
  void begin_change(RuleIndex rule, std::uint64_t at);
  void end_change(RuleIndex rule, std::uint64_t at);

  struct Judgement {
    bool is_right =
        false;  // the answer of some rule set in force from `from` to `to`, both included
    bool is_contested = false;  // these do not all give the same answer
  };
  [[nodiscard]] Judgement judge(std::size_t traffic_index, std::optional<RuleIndex> answer,
                                std::uint64_t from, std::uint64_t to);

  // The first rule that matches at a time; one whose change has begun is as it was.
  [[nodiscard]] std::optional<RuleIndex> answer_at(std::size_t traffic_index, std::uint64_t time);

 private:
  // The rules that match a packet, best first, as far as one that never changes.
  const std::vector<RuleIndex>& candidates(std::size_t traffic_index);
  // A rule comes or goes at a time from `from` to `to`, or has from `to` on.
  struct Change {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };
  using Changes = std::vector<Change>;  // of a rule
  enum class InForce { kNo, kYes, kEither };
  // The first change that has not ended at the time.
  [[nodiscard]] Changes::const_iterator first_after(RuleIndex rule, std::uint64_t time) const;
  // Not counting a change that has begun.
  [[nodiscard]] bool was_in_force(RuleIndex rule, std::uint64_t time) const;
  [[nodiscard]] InForce in_force(RuleIndex rule, std::uint64_t time) const;
  // Every first rule that may match at the time, the best first.
  template <class Visit>
  void visit_first_of(const std::vector<RuleIndex>& rules, std::uint64_t time, Visit visit) const;

  const Traffic& traffic_;
  ReferenceClassifier classifier_;
  std::vector<bool> at_start_;
  std::vector<bool> changing_;
  std::vector<Changes> changes_;  // by rule
  std::vector<std::optional<std::vector<RuleIndex>>>
      candidates_;  // by packet of the traffic, as they are asked for
};

}  // namespace nplab::workloads
