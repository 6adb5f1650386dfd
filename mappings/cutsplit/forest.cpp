#include "forest.h"

#include <algorithm>
#include <array>

#include "mappings/hicuts/boxes.h"
#include "mappings/hypersplit/split_tree.h"

namespace nplab::mappings::cutsplit {
namespace {

using hicuts::Block;
using hicuts::Box;
using hicuts::LeafRules;
using workloads::Range;

constexpr std::size_t kAddressFields = 2;

class Builder {
 public:
  Builder(const workloads::RuleSet& rules, const ForestLimits& limits)
      : rules_(rules), limits_(limits) {}

  std::optional<Forest> build() {
    std::array<LeafRules, 1 << kAddressFields> parts;  // by which fields are small, a bit each
    for (std::uint32_t rule = 0; rule < rules_.size(); ++rule)
      parts[small_fields(rule)].push_back(rule);
    std::vector<unsigned> order;
    for (unsigned part = 0; part < parts.size(); ++part) {
      if (!parts[part].empty())
        order.push_back(part);
    }
    std::sort(order.begin(), order.end(),
              [&](unsigned a, unsigned b) { return parts[a].front() < parts[b].front(); });
    for (const unsigned part : order) {
      forest_.roots.push_back(forest_.nodes.size());
      forest_.first_rules.push_back(parts[part].front());
      forest_.nodes.emplace_back();
      make_node(forest_.roots.back(), part, hicuts::whole_box(rules_), parts[part], 0);
    }
    if (is_too_large())
      return std::nullopt;
    forest_.leaves = leaves_.leaves();
    return std::move(forest_);
  }

 private:
  [[nodiscard]] bool is_too_large() const { return forest_.nodes.size() > limits_.most_nodes; }

  [[nodiscard]] const Range& range(std::uint32_t rule, std::size_t field) const {
    return rules_.rules()[rule].ranges[field];
  }

  [[nodiscard]] unsigned small_fields(std::uint32_t rule) const {
    unsigned fields = 0;
    for (std::size_t f = 0; f < std::min(kAddressFields, rules_.fields().size()); ++f) {
      const Range& own = range(rule, f);
      const bool is_small = (own.high - own.low) >> limits_.small_bits == 0;
      if (is_small && rules_.fields()[f].bits > limits_.small_bits)
        fields |= 1u << f;
    }
    return fields;
  }

  void make_node(std::size_t node, unsigned small, const Box& box, const LeafRules& rules,
                 std::size_t level) {
    if (is_too_large())
      return;
    std::optional<unsigned> field;
    Block largest;
    for (unsigned f = 0; f < kAddressFields; ++f) {
      if ((small >> f & 1) == 0)
        continue;
      const Block block = block_of(rules, f, box[f]);
      if (block.bits > limits_.small_bits && block.bits > largest.bits) {
        field = f;
        largest = block;
      }
    }
    if (rules.size() <= limits_.binth || !field)
      split(node, box, rules, level);
    else
      cut(node, small, *field, largest, box, rules, level);
  }

  // The smallest block that contains the ranges of all rules in the part.
  [[nodiscard]] Block block_of(const LeafRules& rules, unsigned field, const Range& part) const {
    std::uint64_t low = part.high;
    std::uint64_t high = part.low;
    for (const std::uint32_t rule : rules) {
      low = std::min(low, std::max(range(rule, field).low, part.low));
      high = std::max(high, std::min(range(rule, field).high, part.high));
    }
    return hicuts::block_around(low, high);
  }

  void cut(std::size_t node, unsigned small, unsigned field, const Block& block, const Box& box,
           const LeafRules& rules, std::size_t level) {
    const unsigned parts_log2 = std::min(limits_.cut_bits, block.bits - limits_.small_bits);
    const unsigned shift = block.bits - parts_log2;
    const std::size_t parts = std::size_t{1} << parts_log2;
    const std::size_t first = forest_.nodes.size();
    forest_.nodes[node] = {
        Node::Kind::kCut, field, 0, shift, static_cast<std::uint32_t>(parts - 1), first, 0};
    forest_.nodes.resize(first + parts);
    ++forest_.cut_nodes;
    for (std::size_t part = 0; part < parts; ++part) {
      Box child = box;
      child[field] = block.part(part, shift);
      make_node(first + part, small, child, hicuts::rules_in(rules_, rules, field, child[field]),
                level + 1);
    }
  }

  // The node becomes the root of a tree of HyperSplit.
  void split(std::size_t node, const Box& box, const LeafRules& rules, std::size_t level) {
    const auto tree =
        hypersplit::make_tree(rules_, rules, box, {limits_.binth, limits_.most_nodes});
    const std::size_t base = forest_.nodes.size();
    if (!tree) {
      forest_.nodes.resize(limits_.most_nodes + 1);
      return;
    }
    forest_.depth = std::max(forest_.depth, level + tree->depth);
    const auto place_of = [&](std::size_t number) {
      return number == 0 ? node : base + number - 1;
    };
    forest_.nodes.resize(base + tree->nodes.size() - 1);
    for (std::size_t i = 0; i < tree->nodes.size(); ++i) {
      const hypersplit::Node& from = tree->nodes[i];
      Node& to = forest_.nodes[place_of(i)];
      to = {};
      if (from.is_leaf) {
        to.leaf = leaves_.number_of(tree->leaves[from.leaf]);
      } else {
        to.kind = Node::Kind::kSplit;
        to.field = from.field;
        to.value = from.value;
        to.first_child = place_of(from.first_child);
      }
    }
  }

  const workloads::RuleSet& rules_;
  const ForestLimits limits_;
  Forest forest_;
  hicuts::LeafSet leaves_;
};

}  // namespace

std::optional<Forest> make_forest(const workloads::RuleSet& rules, const ForestLimits& limits) {
  return Builder(rules, limits).build();
}

}  // namespace nplab::mappings::cutsplit
