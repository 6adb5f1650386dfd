#include "mappings/tuple-precomputation/pair_grid.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

#include "mappings/include/verdict.h"
#include "mappings/tuple-space-search/tuple_tables.h"

namespace nplab::mappings::tuple_precomputation {
namespace {

using Key = std::array<std::uint32_t, 2>;

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    return (std::uint64_t{key[0]} << 32 | key[1]) * 0x9e3779b97f4a7c15u >> 20;
  }
};

class GridBuilder {
 public:
  explicit GridBuilder(const workloads::RuleSet& rules) : rules_(rules) {
    for (std::size_t field = 0; field < std::min<std::size_t>(2, rules.fields().size()); ++field)
      grid_.bits[field] = rules.fields()[field].bits;
    find_lengths();
    tuples_.resize(grid_.rows.size() * grid_.columns.size());
  }

  PairGrid build() {
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule)
      add_rule(rule);
    sort_pairs();
    // Shorter prefixes of field 0 first, so that those that cover a pair are complete.
    for (std::size_t at = grid_.pairs.size(); at-- > 0;)
      precompute(grid_.pairs[at]);
    return std::move(grid_);
  }

 private:
  using Tuple = std::unordered_map<Key, std::size_t, KeyHash>;  // the number of a pair

  [[nodiscard]] std::array<unsigned, 2> lengths_of(std::uint32_t rule) const {
    const tuple_space::Tuple tuple = tuple_space::tuple_of(rules_, rule);
    return {tuple[0], tuple.size() > 1 ? tuple[1] : 0};
  }

  void find_lengths() {
    std::set<unsigned> rows, columns;
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule) {
      const auto [row, column] = lengths_of(rule);
      rows.insert(row);
      columns.insert(column);
    }
    grid_.rows.assign(rows.rbegin(), rows.rend());
    grid_.columns.assign(columns.begin(), columns.end());
  }

  Tuple& tuple_at(std::size_t row, std::size_t column) {
    return tuples_[row * grid_.columns.size() + column];
  }

  [[nodiscard]] Key masked(const Key& key, std::size_t row, std::size_t column) const {
    const auto masks = grid_.masks(row, column);
    return {key[0] & masks[0], key[1] & masks[1]};
  }

  // The rule's pair, and a marker in each tuple to the left. Where there is one already, there is
  // one in all tuples further to the left.
  void add_rule(std::uint32_t rule) {
    const auto [row_length, column_length] = lengths_of(rule);
    const auto row = static_cast<std::size_t>(
        std::find(grid_.rows.begin(), grid_.rows.end(), row_length) - grid_.rows.begin());
    auto column = static_cast<std::size_t>(
        std::find(grid_.columns.begin(), grid_.columns.end(), column_length) -
        grid_.columns.begin());
    const auto& ranges = rules_.rules()[rule].ranges;
    const Key low = {static_cast<std::uint32_t>(ranges[0].low),
                     ranges.size() > 1 ? static_cast<std::uint32_t>(ranges[1].low) : 0};
    bool is_new = false;
    std::tie(std::ignore, is_new) = add_pair(row, column, low);
    grid_.pairs[tuple_at(row, column).at(masked(low, row, column))].rules.push_back(rule);
    while (is_new && column-- > 0)
      std::tie(std::ignore, is_new) = add_pair(row, column, low);
  }

  std::pair<std::size_t, bool> add_pair(std::size_t row, std::size_t column, const Key& low) {
    const Key key = masked(low, row, column);
    const auto [at, is_new] = tuple_at(row, column).try_emplace(key, grid_.pairs.size());
    if (is_new)
      grid_.pairs.push_back({row, column, key, {}, NO_MATCH, {}});
    return {at->second, is_new};
  }

  void sort_pairs() {
    std::stable_sort(grid_.pairs.begin(), grid_.pairs.end(), [](const Pair& a, const Pair& b) {
      return std::tie(a.row, a.column) < std::tie(b.row, b.column);
    });
    for (std::size_t at = 0; at < grid_.pairs.size(); ++at) {
      const Pair& pair = grid_.pairs[at];
      tuple_at(pair.row, pair.column)[pair.key] = at;
    }
  }

  // The nearest pair that covers this one knows all others that do.
  void precompute(Pair& pair) {
    for (std::size_t row = pair.row + 1; row < grid_.rows.size(); ++row) {
      const Tuple& tuple = tuple_at(row, pair.column);
      const auto found = tuple.find(masked(pair.key, row, pair.column));
      if (found == tuple.end())
        continue;
      const Pair& nearest = grid_.pairs[found->second];
      pair.covering = nearest.rules.empty() ? nearest.covering : found->second;
      pair.best = nearest.best;
      break;
    }
    if (!pair.rules.empty())
      pair.best = std::min(pair.best, pair.rules.front());
  }

  const workloads::RuleSet& rules_;
  PairGrid grid_;
  std::vector<Tuple> tuples_;  // row by row
};

}  // namespace

std::array<std::uint32_t, 2> PairGrid::masks(std::size_t row, std::size_t column) const {
  const auto mask = [](unsigned field_bits, unsigned length) {
    return field_bits == 0 ? 0 : tuple_space::mask_of(field_bits, length);
  };
  return {mask(bits[0], rows[row]), mask(bits[1], columns[column])};
}

PairGrid make_pair_grid(const workloads::RuleSet& rules) {
  return GridBuilder(rules).build();
}

}  // namespace nplab::mappings::tuple_precomputation
