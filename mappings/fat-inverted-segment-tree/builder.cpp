// Builds the fat inverted segment tree (layout.h).
#include <fmt/format.h>

#include <optional>

#include "layout.h"
#include "mappings/bit-vector/layout.h"
#include "mappings/bit-vector/trie.h"
#include "mappings/grid-of-tries/rule_lists.h"
#include "mappings/tables/table_builder.h"
#include "segment_tree.h"

namespace nplab::mappings {
namespace {

using bit_vector::TrieIntervals;
using bit_vector::TrieSet;

constexpr std::uint32_t kNodeBytes = NODE_BYTES(SEGMENT_STRIDE, 0);

class SegmentTreeBuilder final : public TableBuilder {
 public:
  explicit SegmentTreeBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        tree_(segment_tree::make_tree(rules_, static_cast<unsigned>(inputs.parameter("levels")))),
        most_entries_(static_cast<std::uint64_t>(inputs.parameter("most_entries"))),
        firsts_({SEGMENT_STRIDE, kNodeBytes}, 1) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    add_firsts();
    if (!add_seconds()) {
      diagnostics.error({rules_.name(), 0, 0},
                        fmt::format("the rule set is too large: the lists of {} rules have more "
                                    "than {} entries x {} bytes; the parameter most_entries allows "
                                    "more, and more levels need fewer",
                                    rules_.size(), most_entries_, LIST_ENTRY_BYTES));
      return {};
    }
    return {trie_size("firsts", firsts_),
            {"segments", tree_.nodes.size() * SEGMENT_BYTES,
             fmt::format("{} nodes of {} segments x {} bytes, fan-out {}", tree_.nodes.size(),
                         tree_.lows.size(), SEGMENT_BYTES, tree_.fan_out)},
            trie_size("seconds", *seconds_),
            tries::lists_size("lists", lists_.leaves()),
            hicuts::rules_size("rules", rules_)};
  }

  TableContents write(const TablePlaces& places) override {
    const TablePlace& segments = places.at("segments");
    const TablePlace& seconds = places.at("seconds");
    std::vector<std::uint32_t> nodes;
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i)
      nodes.push_back(segments.base + static_cast<std::uint32_t>(i) * SEGMENT_BYTES);
    firsts_.write(places.at("firsts"), nodes, image_);
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      const std::size_t parent = tree_.nodes[i].parent;
      put(segments, nodes[i] + 4 * SEGMENT_PARENT,
          parent == segment_tree::kNoParent ? 0 : nodes[parent]);
      put(segments, nodes[i] + 4 * SEGMENT_TRIE,
          roots_[i] ? seconds.base + *roots_[i] * kNodeBytes : 0);
    }
    std::vector<std::uint32_t> lists{0};
    for (const std::uint32_t address :
         tries::write_lists(lists_.leaves(), places.at("lists"), image_))
      lists.push_back(address);
    seconds_->write(seconds, lists, image_);
    hicuts::write_rules(rules_, places.at("rules"), image_);
    return {std::move(image_), {{"segments", tree_.lows.size()}, {"fan_out", tree_.fan_out}}};
  }

 private:
  static TableSize trie_size(const char* table, const TrieSet& trie) {
    return {table, trie.nodes() * kNodeBytes,
            fmt::format("{} nodes x {} bytes", trie.nodes(), kNodeBytes)};
  }

  void add_firsts() {
    TrieIntervals segments{tree_.lows, {}};
    for (std::uint32_t i = 0; i < tree_.lows.size(); ++i)
      segments.leaves.push_back(i);
    firsts_.add(0, rules_.fields()[0].bits, segments);
  }

  // A trie for each node with rules. Leaf number 0 is the empty list.
  bool add_seconds() {
    std::uint32_t roots = 0;
    for (const auto& node : tree_.nodes)
      roots_.push_back(node.rules.empty() ? std::nullopt : std::optional(roots++));
    seconds_.emplace(bit_vector::TrieShape{SEGMENT_STRIDE, kNodeBytes}, roots);
    const unsigned bits = rules_.fields().size() > 1 ? rules_.fields()[1].bits : 1;
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i) {
      if (!roots_[i])
        continue;
      const auto intervals = segment_tree::make_intervals(rules_, tree_.nodes[i].rules);
      TrieIntervals trie{intervals.lows, {}};
      for (const auto& list : intervals.rules)
        trie.leaves.push_back(number_of(list));
      seconds_->add(*roots_[i], bits, trie);
      if (entries_ > most_entries_)
        return false;
    }
    return true;
  }

  bit_vector::LeafNumber number_of(const hicuts::LeafRules& list) {
    if (list.empty())
      return 0;
    const std::size_t known = lists_.leaves().size();
    const std::size_t number = lists_.number_of(list);
    if (number == known)
      entries_ += list.size() + 1;
    return static_cast<bit_vector::LeafNumber>(number + 1);
  }

  void put(const TablePlace& place, std::uint32_t address, std::uint32_t value) {
    image_.put_longword(place.space, address, value);
  }

  const workloads::RuleSet& rules_;
  const segment_tree::SegmentTree tree_;
  const std::uint64_t most_entries_;
  TrieSet firsts_;
  std::optional<TrieSet> seconds_;
  std::vector<std::optional<std::uint32_t>> roots_;  // of the trie over field 1, by node
  hicuts::LeafSet lists_;
  std::uint64_t entries_ = 0;  // of all lists
  MemoryImage image_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_fat_inverted_segment_tree_builder(const BuildInputs& inputs) {
  return std::make_unique<SegmentTreeBuilder>(inputs);
}

}  // namespace nplab::mappings
