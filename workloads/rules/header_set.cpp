#include "workloads/rules/header_set.h"

#include <algorithm>

namespace nplab::workloads {
namespace {

// A set of one field as ranges that the field's kind of match allows.
std::vector<Range> matchable_ranges(const ValueSet& values, const FieldDefinition& field) {
  if (field.match == MatchKind::kRange || values == ValueSet::all(field.bits))
    return values.ranges();
  std::vector<Range> ranges;
  for (const Range& range : values.ranges()) {
    if (field.match == MatchKind::kPrefix) {
      const auto prefixes = prefixes_of(range, field.bits);
      ranges.insert(ranges.end(), prefixes.begin(), prefixes.end());
    } else {
      for (std::uint64_t value = range.low; value <= range.high; ++value)
        ranges.push_back({value, value});
    }
  }
  return ranges;
}

}  // namespace

HeaderSet::HeaderSet() {
  for (std::size_t i = 0; i < kFields; ++i)
    values_[i] = ValueSet::all(five_tuple_fields()[i].bits);
}

void HeaderSet::restrict_to(HeaderField field, const ValueSet& values) {
  ValueSet& own = values_[static_cast<std::size_t>(field)];
  own = own.intersection(values);
}

bool HeaderSet::empty() const {
  return std::any_of(values_.begin(), values_.end(),
                     [](const ValueSet& values) { return values.empty(); });
}

HeaderSet HeaderSet::intersection(const HeaderSet& other) const {
  HeaderSet common;
  for (std::size_t i = 0; i < kFields; ++i)
    common.values_[i] = values_[i].intersection(other.values_[i]);
  return common;
}

std::vector<HeaderSet> HeaderSet::without(const HeaderSet& other) const {
  if (intersection(other).empty())
    return {*this};
  std::vector<HeaderSet> outside;
  HeaderSet rest = *this;
  for (std::size_t i = 0; i < kFields; ++i) {
    HeaderSet piece = rest;
    piece.values_[i] =
        rest.values_[i].intersection(other.values_[i].complement(five_tuple_fields()[i].bits));
    if (!piece.empty())
      outside.push_back(std::move(piece));
    rest.values_[i] = rest.values_[i].intersection(other.values_[i]);
  }
  return outside;
}

std::array<std::vector<Range>, HeaderSet::kFields> HeaderSet::ranges_for_rules() const {
  std::array<std::vector<Range>, kFields> ranges;
  for (std::size_t i = 0; i < kFields; ++i)
    ranges[i] = matchable_ranges(values_[i], five_tuple_fields()[i]);
  return ranges;
}

std::size_t HeaderSet::rule_count() const {
  std::size_t count = 1;
  for (const auto& ranges : ranges_for_rules())
    count = std::min(kCountLimit, count * ranges.size());
  return count;
}

void HeaderSet::append_rules(const Rule& model, std::vector<Rule>& rules) const {
  const auto ranges = ranges_for_rules();
  const std::size_t count = rule_count();
  for (std::size_t number = 0; number < count; ++number) {
    Rule rule = model;
    rule.ranges.resize(kFields);
    std::size_t rest = number;
    for (std::size_t i = kFields; i-- > 0;) {
      rule.ranges[i] = ranges[i][rest % ranges[i].size()];
      rest /= ranges[i].size();
    }
    rules.push_back(std::move(rule));
  }
}

std::vector<HeaderSet> intersection(const std::vector<HeaderSet>& a,
                                    const std::vector<HeaderSet>& b) {
  std::vector<HeaderSet> common;
  for (const HeaderSet& left : a) {
    for (const HeaderSet& right : b) {
      HeaderSet both = left.intersection(right);
      if (!both.empty())
        common.push_back(std::move(both));
    }
  }
  return common;
}

std::vector<HeaderSet> difference(const std::vector<HeaderSet>& a,
                                  const std::vector<HeaderSet>& b) {
  std::vector<HeaderSet> rest = a;
  for (const HeaderSet& taken : b) {
    std::vector<HeaderSet> outside;
    for (const HeaderSet& set : rest) {
      auto pieces = set.without(taken);
      std::move(pieces.begin(), pieces.end(), std::back_inserter(outside));
    }
    rest = std::move(outside);
  }
  return rest;
}

}  // namespace nplab::workloads
