#include "mappings/tuple-merge/merge.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace nplab::mappings::tuple_merge {
namespace {

using tuple_space::covers;
using tuple_space::HashTable;
using tuple_space::mask_of;
using tuple_space::Tuple;

constexpr unsigned kAddressBits = 24;
constexpr unsigned kAddressStep = 4;

class Merger {
 public:
  Merger(const workloads::RuleSet& rules, std::size_t collision_limit)
      : rules_(rules), limit_(collision_limit) {
    for (std::uint32_t rule = 0; rule < rules.size(); ++rule)
      tuples_.push_back(tuple_space::tuple_of(rules, rule));
  }

  std::vector<HashTable> merge(const BuildProgress& progress) {
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule) {
      tell(progress, rule, rules_.size());
      insert(rule);
    }
    std::vector<HashTable> merged;
    for (const Table& table : tables_) {
      HashTable plain{table.tuple, {}};
      for (const auto& [key, bucket] : table.buckets) {
        plain.rules.insert(plain.rules.end(), bucket.begin(), bucket.end());
      }
      std::sort(plain.rules.begin(), plain.rules.end());
      if (!plain.rules.empty())
        merged.push_back(std::move(plain));
    }
    return merged;
  }

 private:
  using Bucket = std::vector<std::uint32_t>;
  struct Table {
    Tuple tuple;
    std::unordered_map<std::uint64_t, Bucket> buckets;  // by a hash of the key
  };

  void insert(std::uint32_t rule) {
    std::optional<std::size_t> full;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      if (!covers(tables_[i].tuple, tuples_[rule]))
        continue;
      Bucket& bucket = bucket_of(tables_[i], rule);
      if (bucket.size() < limit_) {
        bucket.push_back(rule);
        return;
      }
      if (!full)
        full = i;
    }
    if (full) {
      split(*full, rule);
    } else {
      add_table(relaxed(rules_, tuples_[rule]), {rule});
    }
  }

  // The rules at the key of `rule` and the rule itself into a table that tells them apart better.
  void split(std::size_t table, std::uint32_t rule) {
    Bucket& bucket = bucket_of(tables_[table], rule);
    Tuple common = tuples_[rule];
    for (const std::uint32_t other : bucket) {
      for (std::size_t f = 0; f < common.size(); ++f)
        common[f] = std::min(common[f], tuples_[other][f]);
    }
    if (common != tables_[table].tuple) {
      Bucket moved;
      std::swap(moved, bucket);
      moved.push_back(rule);
      add_table(common, moved);
    } else {
      add_table(tuples_[rule], {rule});
    }
  }

  void add_table(const Tuple& tuple, const Bucket& rules) {
    auto table = std::find_if(tables_.begin(), tables_.end(),
                              [&](const Table& t) { return t.tuple == tuple; });
    if (table == tables_.end())
      table = tables_.insert(table, {tuple, {}});
    for (const std::uint32_t rule : rules)
      bucket_of(*table, rule).push_back(rule);
  }

  // FNV-1a over the rule's key in the table.
  Bucket& bucket_of(Table& table, std::uint32_t rule) const {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t f = 0; f < table.tuple.size(); ++f) {
      hash ^= rules_.rules()[rule].ranges[f].low & mask_of(rules_.fields()[f].bits, table.tuple[f]);
      hash *= 0x100000001b3;
    }
    return table.buckets[hash];
  }

  const workloads::RuleSet& rules_;
  const std::size_t limit_;
  std::vector<Tuple> tuples_;  // by rule
  std::vector<Table> tables_;
};

}  // namespace

Tuple relaxed(const workloads::RuleSet& rules, const Tuple& tuple) {
  unsigned longest = 0;
  for (std::size_t f = 0; f < tuple.size(); ++f) {
    if (rules.fields()[f].bits >= kAddressBits)
      longest = std::max(longest, tuple[f]);
  }
  Tuple kept;
  for (std::size_t f = 0; f < tuple.size(); ++f) {
    const unsigned bits = rules.fields()[f].bits;
    if (longest == 0) {
      kept.push_back(tuple[f] == bits ? bits : 0);
    } else {
      const bool is_kept = bits >= kAddressBits && tuple[f] + kAddressStep >= longest;
      kept.push_back(is_kept ? tuple[f] / kAddressStep * kAddressStep : 0);
    }
  }
  return kept;
}

std::vector<HashTable> merge_tables(const workloads::RuleSet& rules, std::size_t collision_limit,
                                    const BuildProgress& progress) {
  return Merger(rules, collision_limit).merge(progress);
}

}  // namespace nplab::mappings::tuple_merge
