// Builds the P-sets' tries, the intervals' records, the stored vectors and the actions (layout.h).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "layout.h"
#include "mappings/bit-vector/trie.h"
#include "mappings/tables/action_word.h"
#include "mappings/tables/table_builder.h"
#include "stored_vectors.h"

namespace nplab::mappings {
namespace {

using bit_vector::BitVector;
using bit_vector::LeafNumber;

class IncrementalBuilder final : public TableBuilder {
 public:
  explicit IncrementalBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        stride_(static_cast<unsigned>(inputs.parameter("stride"))),
        changes_(static_cast<std::size_t>(inputs.parameter("changes"))),
        count_(static_cast<std::uint32_t>(rules_.size())),
        tries_({stride_, NODE_BYTES(stride_, 0u), false}, rules_.fields().size()) {}

  std::vector<TableSize> size(Diagnostics&) override {
    for (std::size_t dimension = 0; dimension < rules_.fields().size(); ++dimension)
      add_dimension(dimension);
    return {{"pset", std::uint64_t{tries_.nodes()} * NODE_BYTES(stride_, 0u),
             fmt::format("{} trie nodes of {} dimensions x {} bytes (stride {})", tries_.nodes(),
                         rules_.fields().size(), NODE_BYTES(stride_, 0u), stride_)},
            {"intervals", std::uint64_t{records_.size()} * INTERVAL_BYTES,
             fmt::format("{} different records of {} intervals x {} bytes", records_.size(),
                         intervals_, INTERVAL_BYTES)},
            {"vectors", std::uint64_t{vectors_.size()} * vector_bytes(),
             fmt::format("{} stored vectors x {} bytes ({} rules)", vectors_.size(), vector_bytes(),
                         count_)},
            {"actions", std::uint64_t{count_} * ACTION_BYTES,
             fmt::format("{} rules x {} bytes", count_, ACTION_BYTES)}};
  }

  TableContents write(const TablePlaces& places) override {
    const TablePlace& vectors = places.at("vectors");
    for (const auto& [vector, number] : vectors_) {
      for (std::uint32_t i = 0; i < vector_bytes() / 4; ++i)
        put(vectors, vectors.base + number * vector_bytes() + 4 * i,
            i < vector.size() ? vector[i] : 0);
    }
    write_intervals(places.at("intervals"), vectors.base);
    std::vector<std::uint32_t> addresses = {0};  // by leaf; 0 for no rule
    for (std::uint32_t i = 0; i < records_.size(); ++i)
      addresses.push_back(places.at("intervals").base + i * INTERVAL_BYTES);
    tries_.write(places.at("pset"), addresses, image_);
    const TablePlace& actions = places.at("actions");
    for (std::uint32_t i = 0; i < count_; ++i)
      put(actions, actions.base + ACTION_BYTES * i, action_word(rules_.rules()[i].action));
    return {std::move(image_), {{"intervals", intervals_}, {"vectors", vectors_.size()}}};
  }

 private:
  // Of an interval: the number of its vector, and the changes as they lie in memory.
  using Record = std::array<std::uint32_t, INTERVAL_BYTES / 4>;

  [[nodiscard]] std::uint32_t vector_bytes() const { return BLOCKS(count_) * BLOCK_BYTES; }

  void add_dimension(std::size_t dimension) {
    const auto intervals = bit_vector::make_p_set(rules_, dimension);
    bit_vector::TrieIntervals trie;
    for (const auto& difference : incremental_bit_vector::differences(intervals, changes_)) {
      const auto& interval = intervals[trie.lows.size()];
      trie.lows.push_back(interval.low);
      trie.leaves.push_back(has_rules(interval.rules)
                                ? leaf_of(intervals[difference.stored].rules, difference.rules)
                                : 0);
    }
    intervals_ += intervals.size();
    tries_.add(dimension, rules_.fields()[dimension].bits, trie);
  }

  static bool has_rules(const BitVector& vector) {
    return std::any_of(vector.begin(), vector.end(), [](std::uint32_t bits) { return bits != 0; });
  }

  // Intervals with the same vector and changes share a record, intervals of different dimensions
  // too.
  LeafNumber leaf_of(const BitVector& stored, const std::vector<std::uint32_t>& changes) {
    Record record{};
    record[INTERVAL_VECTOR] =
        vectors_.try_emplace(stored, static_cast<std::uint32_t>(vectors_.size())).first->second;
    for (std::size_t i = 0; i < MOST_CHANGES; ++i) {
      const std::uint32_t change = i < changes.size() ? changes[i] : NO_CHANGE;
      record[INTERVAL_CHANGES + i / 2] |= change << (i % 2 == 0 ? 16 : 0);
    }
    return records_.try_emplace(record, static_cast<LeafNumber>(records_.size() + 1)).first->second;
  }

  void write_intervals(const TablePlace& intervals, std::uint32_t vectors) {
    for (const auto& [record, leaf] : records_) {
      const std::uint32_t at = intervals.base + (leaf - 1) * INTERVAL_BYTES;
      put(intervals, at, vectors + record[INTERVAL_VECTOR] * vector_bytes());
      for (std::uint32_t i = INTERVAL_CHANGES; i < record.size(); ++i)
        put(intervals, at + 4 * i, record[i]);
    }
  }

  void put(const TablePlace& place, std::uint32_t address, std::uint32_t value) {
    image_.put_longword(place.space, address, value);
  }

  const workloads::RuleSet& rules_;
  const unsigned stride_;
  const std::size_t changes_;  // most of an interval
  const std::uint32_t count_;
  std::size_t intervals_ = 0;
  std::map<BitVector, std::uint32_t> vectors_;  // numbered from 0
  std::map<Record, LeafNumber> records_;        // numbered from 1
  bit_vector::TrieSet tries_;
  MemoryImage image_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_incremental_bit_vector_builder(const BuildInputs& inputs) {
  return std::make_unique<IncrementalBuilder>(inputs);
}

}  // namespace nplab::mappings
