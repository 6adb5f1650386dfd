// Builds the tries, the aggregated bit vectors, the order of rearranged rules and the actions
// (layout.h).
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "layout.h"
#include "mappings/bit-vector/vector_numbers.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {
namespace {

using bit_vector::BitVector;

// The rule index of each position. Rearranged, rules that are alike stand together, so that the
// bits of a vector fall into few groups: as Baboescu and Varghese have it, by one field after the
// other. A prefix stands after those inside it that begin with it, near all others inside it.
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

class AggregatedBuilder final : public TableBuilder {
 public:
  explicit AggregatedBuilder(const BuildInputs& inputs)
      : order_(order_of(inputs.rules, inputs.parameter("rearranged") != 0)),
        rules_(inputs.rules),
        stride_(static_cast<unsigned>(inputs.parameter("stride"))),
        shift_(static_cast<unsigned>(inputs.parameter("group_shift"))),
        levels_(static_cast<unsigned>(inputs.parameter("levels"))),
        count_(static_cast<std::uint32_t>(rules_.size())),
        record_bytes_(RECORD_BYTES(count_, shift_, levels_)),
        tries_({stride_, NODE_BYTES(stride_, 0u), false}, rules_.fields().size()) {}

  std::vector<TableSize> size(Diagnostics&) override {
    intervals_ = bit_vector::add_tries(in_order(rules_, order_), vectors_, tries_);
    return {
        {"pset", std::uint64_t{tries_.nodes()} * NODE_BYTES(stride_, 0u),
         fmt::format("{} trie nodes of {} dimensions x {} bytes (stride {})", tries_.nodes(),
                     rules_.fields().size(), NODE_BYTES(stride_, 0u), stride_)},
        {"vectors", std::uint64_t{vectors_.count()} * record_bytes_,
         fmt::format(
             "{} different vectors of {} intervals x {} bytes ({} rules, an aggregate bit for "
             "{})",
             vectors_.count(), intervals_, record_bytes_, count_, 32u << shift_)},
        {"order", std::uint64_t{count_} * POSITION_BYTES,
         fmt::format("{} rules x {} bytes", count_, POSITION_BYTES)},
        {"actions", std::uint64_t{count_} * ACTION_BYTES,
         fmt::format("{} rules x {} bytes", count_, ACTION_BYTES)},
    };
  }

  TableContents write(const TablePlaces& places) override {
    const TablePlace records = places.at("vectors");
    const auto addresses = vectors_.addresses(records.base, record_bytes_);
    vectors_.each([&](bit_vector::LeafNumber number, const BitVector& vector) {
      write_record(records, addresses[number], vector);
    });
    tries_.write(places.at("pset"), addresses, image_);
    const TablePlace actions = places.at("actions"), order = places.at("order");
    for (std::uint32_t i = 0; i < count_; ++i) {
      put(actions, actions.base + ACTION_BYTES * i, action_word(rules_.rules()[i].action));
      put(order, order.base + POSITION_BYTES * i, order_[i]);
    }
    return {std::move(image_), {{"intervals", intervals_}, {"vectors", vectors_.count()}}};
  }

 private:
  void write_record(const TablePlace& records, std::uint32_t at, const BitVector& vector) {
    for (std::uint32_t offset = 0; offset < record_bytes_; offset += 4)
      put(records, at + offset, 0);
    std::vector<std::uint32_t> aggregate(AGGREGATE_LONGWORDS(count_, shift_));
    for (std::uint32_t i = 0; i < vector.size(); ++i) {
      const std::uint32_t group = i >> shift_;
      if (vector[i] != 0)
        aggregate[group / 32] |= VECTOR_FIRST_BIT >> group % 32;
      put(records, at + BITS_OFFSET(count_, shift_, levels_) + 4 * i, vector[i]);
    }
    std::uint32_t top = 0;
    for (std::uint32_t i = 0; i < aggregate.size(); ++i) {
      if (aggregate[i] != 0 && i < 32)
        top |= VECTOR_FIRST_BIT >> i;
      put(records, at + AGGREGATE_OFFSET(levels_) + 4 * i, aggregate[i]);
    }
    if (levels_ == 2)
      put(records, at, top);
  }

  void put(const TablePlace& place, std::uint32_t address, std::uint32_t value) {
    image_.put_longword(place.space, address, value);
  }

  const std::vector<std::uint32_t> order_;
  const workloads::RuleSet& rules_;
  const unsigned stride_;
  const unsigned shift_;
  const unsigned levels_;
  const std::uint32_t count_;
  const std::uint32_t record_bytes_;
  std::size_t intervals_ = 0;
  bit_vector::VectorNumbers vectors_;
  bit_vector::TrieSet tries_;
  MemoryImage image_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_aggregated_bit_vector_builder(const BuildInputs& inputs) {
  return std::make_unique<AggregatedBuilder>(inputs);
}

}  // namespace nplab::mappings
