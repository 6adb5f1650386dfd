#include "reduction.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <set>
#include <unordered_map>

#include "layout.h"
#include "mappings/include/verdict.h"

namespace nplab::mappings::rfc {
namespace {

using workloads::Range;

constexpr std::uint64_t kChunkMax = (1u << CHUNK_BITS) - 1;
constexpr std::size_t kWordBits = 64;
// Sets of boxes that are kept at a time, in words: 1 GiB.
constexpr std::size_t kMostWords = std::size_t{1} << 27;

// A part of a rule that is a product of ranges of chunks.
struct Box {
  std::vector<Range> ranges;  // by chunk
  std::uint32_t rule = 0;
};

bool is_long(const workloads::FieldDefinition& field) {
  return field.bits > CHUNK_BITS;
}

// Ranges of the upper and of the lower chunk whose products make up the range.
std::vector<std::pair<Range, Range>> chunk_products(const Range& range) {
  const Range upper{range.low >> CHUNK_BITS, range.high >> CHUNK_BITS};
  const Range lower{range.low & kChunkMax, range.high & kChunkMax};
  if (upper.low == upper.high || (lower.low == 0 && lower.high == kChunkMax))
    return {{upper, lower}};
  std::vector<std::pair<Range, Range>> products;
  Range middle = upper;
  if (lower.low != 0) {
    products.push_back({{upper.low, upper.low}, {lower.low, kChunkMax}});
    ++middle.low;
  }
  if (lower.high != kChunkMax)
    --middle.high;
  if (middle.low <= middle.high)
    products.push_back({middle, {0, kChunkMax}});
  if (lower.high != kChunkMax)
    products.push_back({{upper.high, upper.high}, {0, lower.high}});
  return products;
}

void add_boxes(const workloads::RuleSet& rules, std::uint32_t rule, std::vector<Box>& boxes) {
  std::vector<Box> partial{{{}, rule}};
  for (std::size_t f = 0; f < rules.fields().size(); ++f) {
    const Range& range = rules.rules()[rule].ranges[f];
    std::vector<Box> longer;
    for (const Box& box : partial) {
      if (!is_long(rules.fields()[f])) {
        longer.push_back(box);
        longer.back().ranges.push_back(range);
        continue;
      }
      for (const auto& [upper, lower] : chunk_products(range)) {
        longer.push_back(box);
        longer.back().ranges.push_back(upper);
        longer.back().ranges.push_back(lower);
      }
    }
    partial = std::move(longer);
  }
  boxes.insert(boxes.end(), partial.begin(), partial.end());
}

std::vector<Box> boxes_of(const workloads::RuleSet& rules) {
  std::vector<Box> boxes;
  for (std::uint32_t rule = 0; rule < rules.size(); ++rule)
    add_boxes(rules, rule, boxes);
  return boxes;
}

// Numbers different sets from 0 in the order in which they first occur.
class SetNumbers {
 public:
  explicit SetNumbers(std::vector<BoxSet>& sets) : sets_(sets) {}

  std::uint32_t number_of(const BoxSet& set) {
    const auto [first, last] = numbers_.equal_range(hash(set));
    for (auto at = first; at != last; ++at) {
      if (sets_[at->second] == set)
        return at->second;
    }
    const auto number = static_cast<std::uint32_t>(sets_.size());
    numbers_.emplace(hash(set), number);
    sets_.push_back(set);
    return number;
  }

 private:
  static std::uint64_t hash(const BoxSet& set) {
    std::uint64_t value = 0;
    for (const std::uint64_t word : set)
      value = (std::rotl(value, 5) ^ word) * 0x9e3779b97f4a7c15u;
    return value;
  }

  std::vector<BoxSet>& sets_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> numbers_;
};

BoxSet intersection(const BoxSet& a, const BoxSet& b) {
  BoxSet both(a.size());
  std::transform(a.begin(), a.end(), b.begin(), both.begin(), std::bit_and<>());
  return both;
}

std::optional<std::size_t> first_of_all(const BoxSet& a, const BoxSet& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (const std::uint64_t word = a[i] & b[i])
      return kWordBits * i + static_cast<std::size_t>(std::countr_zero(word));
  }
  return std::nullopt;
}

Classes classes_of_chunk(const std::vector<Box>& boxes, std::size_t chunk, unsigned bits) {
  std::set<std::uint64_t> starts{0};  // of the intervals between the ends of all ranges
  for (const Box& box : boxes) {
    starts.insert(box.ranges[chunk].low);
    starts.insert(box.ranges[chunk].high + 1);
  }
  Classes classes;
  classes.class_of.resize(std::size_t{1} << bits);
  SetNumbers numbers(classes.boxes);
  for (auto start = starts.begin(); start != starts.end(); ++start) {
    if (*start >= classes.class_of.size())
      break;
    BoxSet set((boxes.size() + kWordBits - 1) / kWordBits);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const Range& range = boxes[i].ranges[chunk];
      if (range.low <= *start && *start <= range.high)
        set[i / kWordBits] |= std::uint64_t{1} << i % kWordBits;
    }
    const auto next = std::next(start);
    const std::size_t end = next == starts.end()
                                ? classes.class_of.size()
                                : std::min<std::size_t>(*next, classes.class_of.size());
    std::fill(classes.class_of.begin() + static_cast<std::ptrdiff_t>(*start),
              classes.class_of.begin() + static_cast<std::ptrdiff_t>(end), numbers.number_of(set));
  }
  return classes;
}

using Parts = std::vector<const Classes*>;

// visit(a, b) for each combination of the parts' classes, in ascending order of its index: their
// boxes are those in both a and b.
template <typename Visit>
void each_combination(const Parts& parts, const BoxSet& all, Visit visit) {
  const std::function<bool(std::size_t, const BoxSet&)> combine = [&](std::size_t part,
                                                                      const BoxSet& chosen) {
    for (const BoxSet& boxes : parts[part]->boxes) {
      const bool goes_on = part + 1 == parts.size()
                               ? visit(chosen, boxes)
                               : combine(part + 1, intersection(chosen, boxes));
      if (!goes_on)
        return false;
    }
    return true;
  };
  combine(0, all);
}

class Reducer {
 public:
  Reducer(const workloads::RuleSet& rules, unsigned phases, const ReductionLimits& limits,
          Excess& excess)
      : boxes_(boxes_of(rules)),
        plan_(make_plan(rules.fields(), phases)),
        left_(limits.most_entries),
        excess_(excess),
        all_((boxes_.size() + kWordBits - 1) / kWordBits, ~std::uint64_t{0}) {}

  std::optional<Reduction> run() {
    Reduction result;
    for (std::size_t i = 0; i < plan_.chunks.size(); ++i) {
      const unsigned bits = plan_.chunks[i].bits;
      if (!take(std::uint64_t{1} << bits, 0, {}))
        return std::nullopt;
      result.chunks.push_back(classes_of_chunk(boxes_, i, bits));
    }
    if (!combine(plan_.groups, result.chunks, 1, result.groups))
      return std::nullopt;
    const bool has_pairs = plan_.pairs.size() > 1;
    if (has_pairs && !combine(plan_.pairs, result.groups, 2, result.pairs))
      return std::nullopt;
    if (!match(has_pairs ? result.pairs : result.groups, has_pairs ? 3 : 2, result.matches))
      return std::nullopt;
    return result;
  }

 private:
  bool take(std::uint64_t entries, unsigned phase, const Parts& parts) {
    if (entries <= left_) {
      left_ -= entries;
      return true;
    }
    return fail(Excess::Cause::kEntries, phase, parts);
  }

  bool fail(Excess::Cause cause, unsigned phase, const Parts& parts) {
    excess_ = {cause, phase, {}};
    for (const Classes* part : parts)
      excess_.classes.push_back(part->boxes.size());
    return false;
  }

  bool take_combinations(unsigned phase, const Parts& parts, std::uint64_t& count) {
    count = 1;
    for (const Classes* part : parts) {
      if (part->boxes.size() > left_ / count)
        return take(left_ + 1, phase, parts);
      count *= part->boxes.size();
    }
    return take(count, phase, parts);
  }

  bool combine(const std::vector<std::vector<std::size_t>>& sets, const std::vector<Classes>& from,
               unsigned phase, std::vector<Classes>& to) {
    for (const auto& set : sets) {
      Parts parts;
      for (const std::size_t part : set)
        parts.push_back(&from[part]);
      std::uint64_t count = 0;
      if (!take_combinations(phase, parts, count) ||
          !classify(parts, count, phase, to.emplace_back()))
        return false;
    }
    return true;
  }

  bool classify(const Parts& parts, std::uint64_t count, unsigned phase, Classes& classes) {
    classes.class_of.reserve(count);
    SetNumbers numbers(classes.boxes);
    each_combination(parts, all_, [&](const BoxSet& a, const BoxSet& b) {
      classes.class_of.push_back(numbers.number_of(intersection(a, b)));
      return classes.boxes.size() * all_.size() <= kMostWords;
    });
    return classes.class_of.size() == count || fail(Excess::Cause::kMemory, phase, parts);
  }

  bool match(const std::vector<Classes>& from, unsigned phase,
             std::vector<std::uint32_t>& matches) {
    Parts parts;
    for (const Classes& part : from)
      parts.push_back(&part);
    std::uint64_t count = 0;
    if (!take_combinations(phase, parts, count))
      return false;
    matches.reserve(count);
    each_combination(parts, all_, [&](const BoxSet& a, const BoxSet& b) {
      const auto first = first_of_all(a, b);
      matches.push_back(first ? boxes_[*first].rule : NO_MATCH);
      return true;
    });
    return true;
  }

  const std::vector<Box> boxes_;
  const Plan plan_;
  std::uint64_t left_;  // entries that may still be made
  Excess& excess_;
  const BoxSet all_;
};

}  // namespace

Plan make_plan(const std::vector<workloads::FieldDefinition>& fields, unsigned phases) {
  Plan plan;
  std::vector<std::size_t> short_chunks;
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const std::size_t chunk = plan.chunks.size();
    if (is_long(fields[f])) {
      plan.chunks.push_back({f, CHUNK_BITS, fields[f].bits - CHUNK_BITS});
      plan.chunks.push_back({f, 0, CHUNK_BITS});
      plan.groups.push_back({chunk, chunk + 1});
    } else {
      plan.chunks.push_back({f, 0, fields[f].bits});
      short_chunks.push_back(chunk);
    }
  }
  const std::size_t per_group = SHORT_FIELDS_PER_GROUP(phases);
  for (std::size_t i = 0; i < short_chunks.size(); ++i) {
    if (i % per_group == 0)
      plan.groups.emplace_back();
    plan.groups.back().push_back(short_chunks[i]);
  }
  const std::size_t per_pair = GROUPS_PER_PAIR(phases);
  for (std::size_t i = 0; i < plan.groups.size(); ++i) {
    if (i % per_pair == 0)
      plan.pairs.emplace_back();
    plan.pairs.back().push_back(i);
  }
  return plan;
}

std::optional<Reduction> reduce(const workloads::RuleSet& rules, unsigned phases,
                                const ReductionLimits& limits, Excess& excess) {
  return Reducer(rules, phases, limits, excess).run();
}

}  // namespace nplab::mappings::rfc
