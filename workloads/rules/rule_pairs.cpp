#include "workloads/rules/rule_pairs.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace nplab::workloads {
namespace {

// Rules compared at once: a length that the compiler knows, so that it compares several in one
// instruction, and few enough that their ranges stay in the first-level cache.
constexpr std::size_t kBlock = 512;

// Value as wide as the widest field needs.
template <typename Value>
class PairComparison {
 public:
  explicit PairComparison(const RuleSet& rules)
      : fields_(rules.fields().size()),
        rules_(rules.size()),
        blocks_((rules.size() + kBlock - 1) / kBlock) {
    // Places behind the last rule hold ranges that nothing overlaps.
    low_.assign(fields_ * blocks_ * kBlock, std::numeric_limits<Value>::max());
    high_.assign(low_.size(), 0);
    for (std::size_t rule = 0; rule < rules_; ++rule) {
      for (std::size_t field = 0; field < fields_; ++field) {
        const Range& range = rules.rules()[rule].ranges[field];
        low_[place(field, rule)] = static_cast<Value>(range.low);
        high_[place(field, rule)] = static_cast<Value>(range.high);
        if (range != any_value(rules.fields()[field]))
          narrow_.push_back({rule, field});
      }
    }
  }

  RulePairs compare(const std::function<void(double)>& progress) {
    RulePairs pairs;
    std::vector<bool> covered(rules_);
    for (std::size_t block = 0; block < blocks_; ++block) {
      auto narrow = std::lower_bound(narrow_.begin(), narrow_.end(), Place{block * kBlock, 0});
      for (std::size_t rule = block * kBlock; rule < rules_; ++rule) {
        const auto first = narrow;
        while (narrow != narrow_.end() && narrow->rule == rule)
          ++narrow;
        const std::size_t earlier = std::min(kBlock, rule - block * kBlock);
        const std::size_t overlapping = overlap(block, earlier, {first, narrow});
        pairs.overlapping += overlapping;
        if (overlapping > 0 && !covered[rule] && covers(block, earlier, rule))
          covered[rule] = true;
      }
      // The rules left to compare shrink as a triangle does.
      const double left = 1 - static_cast<double>(block + 1) / static_cast<double>(blocks_);
      if (progress)
        progress(1 - left * left);
    }
    pairs.covered = static_cast<std::size_t>(std::count(covered.begin(), covered.end(), true));
    return pairs;
  }

 private:
  struct Place {
    std::size_t rule, field;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct Places {
    typename std::vector<Place>::const_iterator first, last;
  };

  // By block, then field, then rule.
  [[nodiscard]] std::size_t place(std::size_t field, std::size_t rule) const {
    return (rule / kBlock * fields_ + field) * kBlock + rule % kBlock;
  }

  // How many of the first `earlier` rules of the block overlap the rule whose narrow fields are
  // given.
  std::size_t overlap(std::size_t block, std::size_t earlier, Places narrow) {
    matching_.fill(1);
    for (auto at = narrow.first; at != narrow.last; ++at) {
      const Value low = low_[place(at->field, at->rule)], high = high_[place(at->field, at->rule)];
      const Value* lows = &low_[(block * fields_ + at->field) * kBlock];
      const Value* highs = &high_[(block * fields_ + at->field) * kBlock];
      for (std::size_t i = 0; i < kBlock; ++i) {
        matching_[i] &= static_cast<Value>(lows[i] <= high) & static_cast<Value>(highs[i] >= low);
      }
    }
    std::fill(matching_.begin() + static_cast<std::ptrdiff_t>(earlier), matching_.end(), Value{0});
    Value count = 0;
    for (std::size_t i = 0; i < kBlock; ++i)
      count += matching_[i];
    return static_cast<std::size_t>(count);
  }

  // Does one of the overlapping earlier rules of the block cover the rule?
  [[nodiscard]] bool covers(std::size_t block, std::size_t earlier, std::size_t rule) const {
    for (std::size_t i = 0; i < earlier; ++i) {
      if (matching_[i] == 0)
        continue;
      bool all = true;
      for (std::size_t field = 0; field < fields_ && all; ++field) {
        const std::size_t other = place(field, block * kBlock + i), own = place(field, rule);
        all = low_[other] <= low_[own] && high_[own] <= high_[other];
      }
      if (all)
        return true;
    }
    return false;
  }

  std::size_t fields_, rules_, blocks_;
  std::vector<Value> low_, high_;
  std::vector<Place> narrow_;             // fields that do not take any value, by rule
  std::array<Value, kBlock> matching_{};  // 1 where the block's rule overlaps
};

}  // namespace

RulePairs compare_pairs(const RuleSet& rules, const std::function<void(double)>& progress) {
  const auto& fields = rules.fields();
  const bool narrow = std::all_of(fields.begin(), fields.end(),
                                  [](const FieldDefinition& field) { return field.bits <= 32; });
  if (narrow)
    return PairComparison<std::uint32_t>(rules).compare(progress);
  return PairComparison<std::uint64_t>(rules).compare(progress);
}

}  // namespace nplab::workloads
