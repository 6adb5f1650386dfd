#include "mappings/tables/match_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>

namespace nplab::mappings {

using isa::match::Entry;
using isa::match::kKeyWords;
using isa::match::TupleId;

namespace {

constexpr unsigned kKeyBits = 32 * kKeyWords;
constexpr std::size_t kMostTuples = 65'535;  // numbers of TupleId

using Lengths = std::vector<unsigned>;  // of a tuple's prefixes, by field

class MatchTableBuilder {
 public:
  MatchTableBuilder(const workloads::RuleSet& rules, std::size_t most_entries)
      : rules_(rules), packing_(rules.fields()), most_entries_(most_entries) {}

  // False: too many entries.
  bool add(std::uint32_t number) {
    const workloads::Rule& rule = rules_.rules()[number];
    std::vector<std::vector<RangePrefix>> prefixes;
    std::size_t entries = 1;
    for (std::size_t field = 0; field < rule.ranges.size(); ++field) {
      prefixes.push_back(prefixes_of(rule.ranges[field], rules_.fields()[field].bits));
      entries *= prefixes.back().size();
      if (entries > most_entries_ - tables_.entries.size())
        return false;
    }
    workloads::Key values(prefixes.size());
    Lengths lengths(prefixes.size());
    add_combinations(number, prefixes, 0, values, lengths);
    return true;
  }

  // The rule that hides an entry of the one that was added last; none: nothing does.
  [[nodiscard]] std::optional<std::uint32_t> hides() const { return hides_; }
  [[nodiscard]] bool has_room_for_tuples() const { return tuples_.size() <= kMostTuples; }

  MatchTables finish() {
    isa::match::Table table;
    table.tuples.resize(tables_.program.tuples.size());
    std::iota(table.tuples.begin(), table.tuples.end(), TupleId{1});
    std::stable_sort(table.tuples.begin(), table.tuples.end(), [this](TupleId a, TupleId b) {
      return tables_.program.tuple(a).best_priority > tables_.program.tuple(b).best_priority;
    });
    tables_.program.tables.push_back(std::move(table));
    return std::move(tables_);
  }

 private:
  void add_combinations(std::uint32_t number, const std::vector<std::vector<RangePrefix>>& prefixes,
                        std::size_t field, workloads::Key& values, Lengths& lengths) {
    if (field == prefixes.size())
      return add_entry(number, values, lengths);
    for (const RangePrefix& prefix : prefixes[field]) {
      values[field] = prefix.value;
      lengths[field] = prefix.length;
      add_combinations(number, prefixes, field + 1, values, lengths);
    }
  }

  // Rules come by falling priority, so what has a place stays.
  void add_entry(std::uint32_t number, const workloads::Key& values, const Lengths& lengths) {
    Entry entry;
    entry.key = packing_.pack(values);
    entry.action = number;
    entry.priority = static_cast<std::uint32_t>(rules_.size() - number);
    entry.tuple = tuple_of(lengths, entry.priority);
    const auto [place, is_free] = taken_.emplace(std::pair(entry.tuple, entry.key), number);
    if (is_free) {
      tables_.entries.push_back(entry);
    } else {
      tables_.hidden.push_back(entry);
      if (place->second != number)
        hides_ = place->second;
    }
  }

  TupleId tuple_of(const Lengths& lengths, std::uint32_t priority) {
    const auto [found, is_new] = tuples_.emplace(lengths, static_cast<TupleId>(tuples_.size() + 1));
    if (is_new) {
      workloads::Key masks;
      for (std::size_t field = 0; field < lengths.size(); ++field) {
        const unsigned bits = rules_.fields()[field].bits;
        const std::uint64_t all = workloads::max_value(bits);
        masks.push_back(lengths[field] == 0 ? 0 : all ^ (all >> lengths[field]));
      }
      tables_.program.tuples.push_back({packing_.pack(masks), priority});
    }
    return found->second;
  }

  const workloads::RuleSet& rules_;
  MatchKeyPacking packing_;
  std::size_t most_entries_;
  std::map<Lengths, TupleId> tuples_;
  std::map<std::pair<TupleId, isa::match::Key>, std::uint32_t> taken_;  // by which rule
  std::optional<std::uint32_t> hides_;
  MatchTables tables_;
};

}  // namespace

bool MatchKeyPacking::fits(const std::vector<workloads::FieldDefinition>& fields) {
  return workloads::bits_together(fields) <= kKeyBits;
}

MatchKeyPacking::MatchKeyPacking(const std::vector<workloads::FieldDefinition>& fields) {
  unsigned begin = 0;
  for (const workloads::FieldDefinition& field : fields) {
    parts_.push_back({begin, field.bits});
    begin += field.bits;
  }
}

isa::match::Key MatchKeyPacking::pack(const workloads::Key& values) const {
  return isa::match::pack(values, parts_);
}

// From the lowest address: the largest prefix that begins there and does not end after the range.
std::vector<RangePrefix> prefixes_of(const workloads::Range& range, unsigned bits) {
  std::vector<RangePrefix> prefixes;
  for (std::uint64_t low = range.low;;) {
    unsigned free = low == 0 ? bits : std::min<unsigned>(bits, std::countr_zero(low));
    while (free != 0 && (low | workloads::max_value(free)) > range.high)
      --free;
    prefixes.push_back({low, bits - free});
    const std::uint64_t last = free == 0 ? low : low | workloads::max_value(free);
    if (last == range.high)
      return prefixes;
    low = last + 1;
  }
}

std::vector<std::string> choice_words(SameKey /*same_key*/) {
  return {"hide", "refuse"};
}

std::optional<MatchTables> match_tables_of(const workloads::RuleSet& rules,
                                           std::size_t most_entries, SameKey same_key,
                                           Diagnostics& diagnostics) {
  if (!MatchKeyPacking::fits(rules.fields())) {
    diagnostics.error(
        without_lines(rules.name()),
        fmt::format("the fields have {} bits together; a key of the match unit has {}",
                    workloads::bits_together(rules.fields()), kKeyBits));
    return std::nullopt;
  }
  MatchTableBuilder builder(rules, most_entries);
  for (std::uint32_t number = 0; number < rules.size(); ++number) {
    const bool has_room = builder.add(number);
    if (const auto better = builder.hides(); better && same_key == SameKey::kRefuse) {
      diagnostics.error(
          rules.rules()[number].location,
          fmt::format("the rule has the key of rule {}, line {}, which is better, so that it would "
                      "not match: leave one of them out",
                      *better, rules.rules()[*better].location.line));
      return std::nullopt;
    }
    if (has_room && builder.has_room_for_tuples())
      continue;
    diagnostics.error(
        rules.rules()[number].location,
        has_room ? fmt::format("with this rule there are more than {} tuples", kMostTuples)
                 : fmt::format("with this rule, whose ranges become several prefixes each, the "
                               "tables have more than {} entries",
                               most_entries));
    return std::nullopt;
  }
  return builder.finish();
}

}  // namespace nplab::mappings
