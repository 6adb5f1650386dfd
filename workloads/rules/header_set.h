// Sets of 5-tuples that a statement of a firewall listing matches, and the rules that they come to.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "workloads/packets/key_layout.h"
#include "workloads/rules/rule_set.h"
#include "workloads/rules/value_set.h"

namespace nplab::workloads {

// Every combination of one value from each field's set.
class HeaderSet {
 public:
  HeaderSet();  // every header

  // Keeps only headers whose `field` is among `values`.
  void restrict_to(HeaderField field, const ValueSet& values);

  [[nodiscard]] const ValueSet& values(HeaderField field) const {
    return values_[static_cast<std::size_t>(field)];
  }
  [[nodiscard]] bool empty() const;
  [[nodiscard]] HeaderSet intersection(const HeaderSet& other) const;
  // What lies outside `other`, as disjoint sets.
  [[nodiscard]] std::vector<HeaderSet> without(const HeaderSet& other) const;

  // How many rules `append_rules` makes; at most kCountLimit is said.
  static constexpr std::size_t kCountLimit = 1'000'000'000;
  [[nodiscard]] std::size_t rule_count() const;
  // The rules that together match these headers: addresses as prefixes, ports as ranges, one
  // protocol or any. They are disjoint and share everything but their ranges with `model`.
  void append_rules(const Rule& model, std::vector<Rule>& rules) const;

 private:
  static constexpr std::size_t kFields = 5;
  [[nodiscard]] std::array<std::vector<Range>, kFields> ranges_for_rules() const;

  std::array<ValueSet, kFields> values_;  // in the order of five_tuple_fields
};

// Unions of header sets.
std::vector<HeaderSet> intersection(const std::vector<HeaderSet>& a,
                                    const std::vector<HeaderSet>& b);
std::vector<HeaderSet> difference(const std::vector<HeaderSet>& a, const std::vector<HeaderSet>& b);

}  // namespace nplab::workloads
