#include "workloads/reference/classifier.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace nplab::workloads {
namespace {

constexpr std::size_t kWordBits = 64;

bool matches(const Rule& rule, const Key& key) {
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (!rule.ranges[i].contains(key[i]))
      return false;
  }
  return true;
}

}  // namespace

std::optional<RuleIndex> LinearScanClassifier::classify(const Key& key) const {
  assert(key.size() == rules_.fields().size() && "a key has one value for each field");
  const auto& rules = rules_.rules();
  const auto first = std::find_if(rules.begin(), rules.end(),
                                  [&](const Rule& rule) { return matches(rule, key); });
  if (first == rules.end())
    return std::nullopt;
  return RuleIndex(static_cast<std::uint32_t>(first - rules.begin()));
}

ReferenceClassifier::ReferenceClassifier(const RuleSet& rules, std::size_t memory_limit)
    : rules_(rules), scan_(rules), words_((rules.size() + kWordBits - 1) / kWordBits) {
  std::size_t words = 0;
  for (std::size_t field = 0; field < rules.fields().size(); ++field)
    words += interval_starts(field).size() * words_;
  if (words * sizeof(std::uint64_t) > memory_limit)
    return;
  for (std::size_t field = 0; field < rules.fields().size(); ++field)
    dimensions_.push_back(build_dimension(field));
}

std::vector<std::uint64_t> ReferenceClassifier::interval_starts(std::size_t field) const {
  std::vector<std::uint64_t> starts = {0};
  const std::uint64_t largest = max_value(rules_.fields()[field].bits);
  for (const Rule& rule : rules_.rules()) {
    starts.push_back(rule.ranges[field].low);
    if (rule.ranges[field].high < largest)
      starts.push_back(rule.ranges[field].high + 1);
  }
  std::sort(starts.begin(), starts.end());
  starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  return starts;
}

// From one interval to the next only the rules that begin or end between them change.
ReferenceClassifier::Dimension ReferenceClassifier::build_dimension(std::size_t field) const {
  Dimension dimension{interval_starts(field), {}};
  const auto interval_at = [&](std::uint64_t start) {
    return static_cast<std::size_t>(
        std::lower_bound(dimension.starts.begin(), dimension.starts.end(), start) -
        dimension.starts.begin());
  };
  std::vector<std::vector<std::size_t>> changes(dimension.starts.size());  // rules, by interval
  const std::uint64_t largest = max_value(rules_.fields()[field].bits);
  for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
    const Range& range = rules_.rules()[rule].ranges[field];
    changes[interval_at(range.low)].push_back(rule);
    if (range.high < largest)
      changes[interval_at(range.high + 1)].push_back(rule);
  }
  std::vector<std::uint64_t> vector(words_);
  dimension.vectors.reserve(dimension.starts.size() * words_);
  for (const auto& rules : changes) {
    for (const std::size_t rule : rules)
      vector[rule / kWordBits] ^= std::uint64_t{1} << rule % kWordBits;
    dimension.vectors.insert(dimension.vectors.end(), vector.begin(), vector.end());
  }
  return dimension;
}

std::vector<RuleIndex> LinearScanClassifier::all_matches(const Key& key) const {
  assert(key.size() == rules_.fields().size() && "a key has one value for each field");
  std::vector<RuleIndex> found;
  for (std::uint32_t rule = 0; rule < rules_.size(); ++rule) {
    if (matches(rules_.rules()[rule], key))
      found.push_back(RuleIndex(rule));
  }
  return found;
}

std::vector<const std::uint64_t*> ReferenceClassifier::vectors_at(const Key& key) const {
  assert(key.size() == dimensions_.size() && "a key has one value for each field");
  std::vector<const std::uint64_t*> vectors;
  vectors.reserve(key.size());
  for (std::size_t i = 0; i < key.size(); ++i) {
    const auto& starts = dimensions_[i].starts;
    const auto behind = std::upper_bound(starts.begin(), starts.end(), key[i]);
    const auto interval = static_cast<std::size_t>(behind - starts.begin()) - 1;
    vectors.push_back(&dimensions_[i].vectors[interval * words_]);
  }
  return vectors;
}

std::vector<RuleIndex> ReferenceClassifier::all_matches(const Key& key) const {
  if (scans())
    return scan_.all_matches(key);
  const auto vectors = vectors_at(key);
  std::vector<RuleIndex> found;
  for (std::size_t word = 0; word < words_; ++word) {
    std::uint64_t common = ~std::uint64_t{0};
    for (const std::uint64_t* vector : vectors)
      common &= vector[word];
    for (; common != 0; common &= common - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(common));
      found.push_back(RuleIndex(static_cast<std::uint32_t>(word * kWordBits + bit)));
    }
  }
  return found;
}

std::optional<RuleIndex> ReferenceClassifier::classify(const Key& key) const {
  if (scans())
    return scan_.classify(key);
  const auto vectors = vectors_at(key);
  for (std::size_t word = 0; word < words_; ++word) {
    std::uint64_t common = ~std::uint64_t{0};
    for (const std::uint64_t* vector : vectors)
      common &= vector[word];
    if (common == 0)
      continue;
    return RuleIndex(static_cast<std::uint32_t>(
        word * kWordBits + static_cast<std::size_t>(std::countr_zero(common))));
  }
  return std::nullopt;
}

}  // namespace nplab::workloads
