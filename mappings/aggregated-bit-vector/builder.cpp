// Builds the tries, the aggregated bit vectors, the order of rearranged rules and the actions
// (layout.h).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "layout.h"
#include "mappings/bit-vector/p_set.h"
#include "mappings/bit-vector/trie.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {
namespace {

using bit_vector::BitVector;

// The rule index of each position. Rearranged, rules that are alike stand together, so that the
// bits of a vector fall into few groups: as Baboescu and Varghese have it, by one field after the
// other. A prefix stands behind those inside it that begin with it, near all others inside it.
std::vector<std::uint32_t> order_of(const workloads::RuleSet& rules, bool is_rearranged) {
  std::vector<std::uint32_t> order(rules.size());
  std::iota(order.begin(), order.end(), 0);
  if (!is_rearranged)
    return order;
  const auto is_before = [](const workloads::Range& a, const workloads::Range& b) {
    return std::tie(a.low, a.high) < std::tie(b.low, b.high);
  };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto& left = rules.rules()[a].ranges;
    const auto& right = rules.rules()[b].ranges;
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(),
                                        is_before);
  });
  return order;
}

workloads::RuleSet in_order(const workloads::RuleSet& rules,
                            const std::vector<std::uint32_t>& order) {
  std::vector<workloads::Rule> arranged;
  for (const std::uint32_t rule : order)
    arranged.push_back(rules.rules()[rule]);
  return {rules.name(), rules.sha256(), rules.fields(), arranged};
}

class AggregatedBuilder {
 public:
  explicit AggregatedBuilder(const BuildInputs& inputs)
      : order_(order_of(inputs.rules, inputs.parameter("rearranged") != 0)),
        rules_(inputs.rules),
        arranged_(in_order(inputs.rules, order_)),
        vectors_(inputs.place("vectors")),
        order_at_(inputs.place("order")),
        actions_(inputs.place("actions")),
        stride_(static_cast<unsigned>(inputs.parameter("stride"))),
        shift_(static_cast<unsigned>(inputs.parameter("group_shift"))),
        levels_(static_cast<unsigned>(inputs.parameter("levels"))),
        count_(static_cast<std::uint32_t>(rules_.size())),
        record_bytes_(RECORD_BYTES(count_, shift_, levels_)),
        tries_(inputs.place("pset"), {stride_, NODE_BYTES(stride_, 0u), false},
               rules_.fields().size(), set_.image) {}

  TableSet build() {
    for (std::size_t d = 0; d < rules_.fields().size(); ++d) {
      bit_vector::TrieIntervals trie;
      for (const bit_vector::Interval& interval : bit_vector::make_p_set(arranged_, d)) {
        trie.lows.push_back(interval.low);
        trie.addresses.push_back(record_address(interval.rules));
      }
      intervals_ += trie.lows.size();
      tries_.write(d, rules_.fields()[d].bits, trie);
    }
    for (std::uint32_t i = 0; i < count_; ++i) {
      put(actions_, actions_.base + ACTION_BYTES * i, action_word(rules_.rules()[i].action));
      put(order_at_, order_at_.base + POSITION_BYTES * i, order_[i]);
    }
    put_sizes();
    return std::move(set_);
  }

 private:
  // Equal vectors share a record, across dimensions too.
  std::uint32_t record_address(const BitVector& rules) {
    if (std::all_of(rules.begin(), rules.end(), [](std::uint32_t bits) { return bits == 0; }))
      return 0;
    const auto next = vectors_.base + static_cast<std::uint32_t>(addresses_.size()) * record_bytes_;
    const auto [known, is_new] = addresses_.emplace(rules, next);
    if (is_new)
      write_record(next, rules);
    return known->second;
  }

  void write_record(std::uint32_t at, const BitVector& vector) {
    for (std::uint32_t offset = 0; offset < record_bytes_; offset += 4)
      put(vectors_, at + offset, 0);
    std::vector<std::uint32_t> aggregate(AGGREGATE_LONGWORDS(count_, shift_));
    for (std::uint32_t i = 0; i < vector.size(); ++i) {
      const std::uint32_t group = i >> shift_;
      if (vector[i] != 0)
        aggregate[group / 32] |= VECTOR_FIRST_BIT >> group % 32;
      put(vectors_, at + BITS_OFFSET(count_, shift_, levels_) + 4 * i, vector[i]);
    }
    std::uint32_t top = 0;
    for (std::uint32_t i = 0; i < aggregate.size(); ++i) {
      if (aggregate[i] != 0 && i < 32)
        top |= VECTOR_FIRST_BIT >> i;
      put(vectors_, at + AGGREGATE_OFFSET(levels_) + 4 * i, aggregate[i]);
    }
    if (levels_ == 2)
      put(vectors_, at, top);
  }

  void put(const TablePlace& place, std::uint32_t address, std::uint32_t value) {
    set_.image.put_longword(place.space, address, value);
  }

  void put_sizes() {
    set_.sizes.push_back(
        {"pset", std::uint64_t{tries_.nodes()} * NODE_BYTES(stride_, 0u),
         fmt::format("{} trie nodes of {} dimensions x {} bytes (stride {})", tries_.nodes(),
                     rules_.fields().size(), NODE_BYTES(stride_, 0u), stride_)});
    set_.sizes.push_back(
        {"vectors", std::uint64_t{addresses_.size()} * record_bytes_,
         fmt::format(
             "{} different vectors of {} intervals x {} bytes ({} rules, an aggregate bit for "
             "{})",
             addresses_.size(), intervals_, record_bytes_, count_, 32u << shift_)});
    set_.sizes.push_back({"order", std::uint64_t{count_} * POSITION_BYTES,
                          fmt::format("{} rules x {} bytes", count_, POSITION_BYTES)});
    set_.sizes.push_back({"actions", std::uint64_t{count_} * ACTION_BYTES,
                          fmt::format("{} rules x {} bytes", count_, ACTION_BYTES)});
    set_.facts = {{"intervals", intervals_}, {"vectors", addresses_.size()}};
  }

  const std::vector<std::uint32_t> order_;
  const workloads::RuleSet& rules_;
  const workloads::RuleSet arranged_;
  const TablePlace vectors_;
  const TablePlace order_at_;
  const TablePlace actions_;
  const unsigned stride_;
  const unsigned shift_;
  const unsigned levels_;
  const std::uint32_t count_;
  const std::uint32_t record_bytes_;
  std::uint64_t intervals_ = 0;
  std::map<BitVector, std::uint32_t> addresses_;
  TableSet set_;
  bit_vector::TrieWriter tries_;
};

}  // namespace

TableSet build_aggregated_bit_vector(const BuildInputs& inputs, Diagnostics&) {
  return AggregatedBuilder(inputs).build();
}

}  // namespace nplab::mappings
