// Sets of values of one field, as listings of firewalls write them: negated, in lists, with masks
// that have holes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/base/field.h"

namespace nplab::workloads {

// Disjoint ranges, ascending, none touching the next.
class ValueSet {
 public:
  ValueSet() = default;  // no value
  explicit ValueSet(Range range) : ranges_{range} {}
  static ValueSet all(unsigned bits) { return ValueSet(Range{0, max_value(bits)}); }
  static ValueSet union_of(std::vector<Range> ranges);

  [[nodiscard]] const std::vector<Range>& ranges() const { return ranges_; }
  [[nodiscard]] bool empty() const { return ranges_.empty(); }
  [[nodiscard]] bool contains(std::uint64_t value) const;

  [[nodiscard]] ValueSet intersection(const ValueSet& other) const;
  [[nodiscard]] ValueSet complement(unsigned bits) const;  // within a field of `bits`
  friend bool operator==(const ValueSet&, const ValueSet&) = default;

 private:
  std::vector<Range> ranges_;
};

// The fewest prefixes that make up the range, ascending.
std::vector<Range> prefixes_of(const Range& range, unsigned bits);

// The 32-bit values that agree with `value` in the bits set in `care`. Nothing when that takes more
// than 65,536 ranges: each free bit above a fixed one doubles them.
std::optional<ValueSet> masked_values(std::uint32_t value, std::uint32_t care);

}  // namespace nplab::workloads
