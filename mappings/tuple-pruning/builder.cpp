// Builds the hash tables of tuple space search and the bitmaps that prune them (layout.h).
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "layout.h"
#include "mappings/bit-vector/p_set.h"
#include "mappings/bit-vector/trie.h"
#include "mappings/tables/table_builder.h"
#include "mappings/tuple-space-search/tuple_tables.h"

namespace nplab::mappings {
namespace {

using Bitmap = std::vector<std::uint32_t>;

constexpr std::size_t kPruningFields = 2;

class PruningBuilder final : public TableBuilder {
 public:
  explicit PruningBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        tuples_(tuple_space::make_tuple_builder(tuple_space::tables_by_tuple, inputs)),
        fields_(std::min(kPruningFields, rules_.fields().size())),
        tries_({PRUNING_STRIDE, PRUNING_NODE_BYTES}, fields_) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    number_tuples();
    for (std::size_t f = 0; f < fields_; ++f)
      add_trie(f);
    std::vector<TableSize> sizes = tuples_->size(diagnostics);
    sizes.push_back({"prefixes", tries_.nodes() * PRUNING_NODE_BYTES,
                     fmt::format("{} nodes x {} bytes", tries_.nodes(), PRUNING_NODE_BYTES)});
    sizes.push_back(
        {"prunes", PRUNES_HEAD_BYTES + bitmaps_.size() * bitmap_bytes(),
         fmt::format("{} + {} different bitmaps of {} tuples x {} bytes", PRUNES_HEAD_BYTES,
                     bitmaps_.size(), tuple_count_, bitmap_bytes())});
    return sizes;
  }

  TableContents write(const TablePlaces& places) override {
    TableContents contents = tuples_->write(places);
    const TablePlace& prunes = places.at("prunes");
    const auto put = [&](std::uint32_t address, std::uint32_t value) {
      contents.image.put_longword(prunes.space, address, value);
    };
    put(prunes.base, static_cast<std::uint32_t>(bitmap_bytes() / 4));
    put(prunes.base + 4, 0);
    std::vector<std::uint32_t> addresses(bitmaps_.size() + 1);  // by leaf; 0 for no tuple
    for (const auto& [bitmap, leaf] : bitmaps_) {
      std::uint32_t at = prunes.base + PRUNES_HEAD_BYTES + (leaf - 1) * bitmap_bytes();
      addresses[leaf] = at;
      for (const std::uint32_t longword : bitmap) {
        put(at, longword);
        at += 4;
      }
    }
    tries_.write(places.at("prefixes"), addresses, contents.image);
    contents.facts["bitmaps"] = bitmaps_.size();
    return contents;
  }

 private:
  [[nodiscard]] std::uint32_t bitmap_bytes() const {
    return static_cast<std::uint32_t>((tuple_count_ + 63) / 64 * 8);
  }

  // Each rule's tuple, by its place in the table `tuples`: parts of about as many, an end after
  // each.
  void number_tuples() {
    auto tables = tuple_space::tables_by_tuple(rules_);  // in the order of their first rules
    tuple_of_.resize(rules_.size());
    for (std::uint32_t group = 0; group < GROUPS; ++group) {
      for (std::size_t i = group * tables.size() / GROUPS; i < (group + 1) * tables.size() / GROUPS;
           ++i) {
        for (const std::uint32_t rule : tables[i].rules)
          tuple_of_[rule] = i + group;
      }
    }
    tuple_count_ = tables.size() + GROUPS;
  }

  void add_trie(std::size_t field) {
    bit_vector::TrieIntervals intervals;
    for (const bit_vector::Interval& interval : bit_vector::make_p_set(rules_, field)) {
      intervals.lows.push_back(interval.low);
      intervals.leaves.push_back(leaf_of(interval.rules));
    }
    tries_.add(field, rules_.fields()[field].bits, intervals);
  }

  bit_vector::LeafNumber leaf_of(const bit_vector::BitVector& rules) {
    Bitmap bitmap(bitmap_bytes() / 4);
    bool is_empty = true;
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule) {
      if ((rules[rule / 32] << rule % 32 & FIRST_TUPLE_BIT) == 0)
        continue;
      is_empty = false;
      bitmap[tuple_of_[rule] / 32] |= FIRST_TUPLE_BIT >> tuple_of_[rule] % 32;
    }
    if (is_empty)
      return 0;
    const auto next = static_cast<bit_vector::LeafNumber>(bitmaps_.size() + 1);
    return bitmaps_.emplace(std::move(bitmap), next).first->second;
  }

  const workloads::RuleSet& rules_;
  const std::unique_ptr<TableBuilder> tuples_;
  const std::size_t fields_;  // that prune
  bit_vector::TrieSet tries_;
  std::vector<std::size_t> tuple_of_;  // by rule
  std::size_t tuple_count_ = 0;        // with the ends of the parts
  std::map<Bitmap, bit_vector::LeafNumber> bitmaps_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_tuple_pruning_builder(const BuildInputs& inputs) {
  return std::make_unique<PruningBuilder>(inputs);
}

}  // namespace nplab::mappings
