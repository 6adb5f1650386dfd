#include "mappings/hicuts/tree.h"

#include <algorithm>
#include <map>

#include "boxes.h"
#include "leaves.h"
#include "workloads/base/range_relations.h"

namespace nplab::mappings::hicuts {
namespace {

using workloads::contains;
using workloads::Range;

constexpr unsigned kMostPartsLog2 = 8;

// Where a node stands: the part of each axis that it cuts further, and the values of the packets
// that come to it. These can be more: leading bits that were left out are not compared.
struct Place {
  Box block;
  Box reach;
};

struct Cut {
  unsigned field = 0;
  unsigned shift = 0;
  unsigned parts_log2 = 0;
  Block block;  // what it cuts
  std::size_t largest_child = 0;
  std::size_t rules_of_children = 0;
  [[nodiscard]] std::size_t parts() const { return std::size_t{1} << parts_log2; }
};

class TreeBuilder {
 public:
  TreeBuilder(const workloads::RuleSet& rules, const TreeLimits& limits)
      : rules_(rules), limits_(limits) {}

  std::optional<Tree> build() {
    tree_.nodes.emplace_back();
    build_node(0, {whole_box(rules_), whole_box(rules_)}, all_rules(rules_), 0);
    if (is_given_up_)
      return std::nullopt;
    tree_.leaves = leaves_.leaves();
    return std::move(tree_);
  }

 private:
  [[nodiscard]] const Range& range(std::uint32_t rule, std::size_t field) const {
    return rules_.rules()[rule].ranges[field];
  }

  void build_node(std::size_t node, const Place& place, LeafRules rules, std::size_t level) {
    drop_hidden(rules_, place.reach, rules);
    const auto cut = rules.size() <= limits_.binth ? std::nullopt : choose_cut(place, rules);
    if (!cut) {
      tree_.nodes[node].leaf = leaf_of(rules);
      return;
    }
    const std::size_t first = tree_.nodes.size();
    if (first + cut->parts() > limits_.most_nodes)
      is_given_up_ = true;
    if (is_given_up_)
      return;
    tree_.depth = std::max(tree_.depth, level + 1);
    tree_.nodes[node] = {
        false, cut->field, cut->shift, static_cast<std::uint32_t>(cut->parts() - 1), first, 0};
    tree_.nodes.resize(first + cut->parts());
    build_children(first, *cut, place, rules, level);
  }

  void build_children(std::size_t first, const Cut& cut, const Place& place, const LeafRules& rules,
                      std::size_t level) {
    std::map<LeafRules, std::size_t> shared;  // subtrees that do not depend on the part
    const bool is_exact =
        place.block[cut.field].low == place.reach[cut.field].low &&
        place.block[cut.field].high == place.reach[cut.field].high &&
        cut.parts() << cut.shift == place.block[cut.field].high - place.block[cut.field].low + 1;
    for (std::size_t part = 0; part < cut.parts() && !is_given_up_; ++part) {
      Place child = place;
      child.block[cut.field] = cut.block.part(part, cut.shift);
      if (is_exact)
        child.reach[cut.field] = child.block[cut.field];
      LeafRules inside = rules_in(rules_, rules, cut.field, child.block[cut.field]);
      const bool is_uniform = std::all_of(inside.begin(), inside.end(), [&](std::uint32_t rule) {
        return contains(range(rule, cut.field), child.block[cut.field]);
      });
      if (is_uniform) {
        const auto [known, is_new] = shared.try_emplace(inside, first + part);
        if (!is_new) {
          tree_.nodes[first + part] = tree_.nodes[known->second];
          continue;
        }
        child.reach[cut.field] = place.reach[cut.field];  // for packets of all parts that share it
      }
      build_node(first + part, child, std::move(inside), level + 1);
    }
  }

  [[nodiscard]] std::optional<Cut> choose_cut(const Place& place, const LeafRules& rules) const {
    std::optional<Cut> best;
    for (unsigned field = 0; field < place.block.size(); ++field) {
      const auto cut = cut_of(field, place.block[field], rules);
      if (!cut || cut->rules_of_children == rules.size() * cut->parts())
        continue;  // no child is smaller
      const auto rank = [](const Cut& c) {
        return std::pair(c.largest_child, c.rules_of_children);
      };
      if (!best || rank(*cut) < rank(*best))
        best = cut;
    }
    return best;
  }

  // The finest cut of the field that spfac allows.
  [[nodiscard]] std::optional<Cut> cut_of(unsigned field, const Range& block,
                                          const LeafRules& rules) const {
    std::uint64_t low = block.high;
    std::uint64_t high = block.low;
    for (const std::uint32_t rule : rules) {
      const Range& own = range(rule, field);
      if (contains(own, block))
        continue;
      low = std::min(low, std::max(own.low, block.low));
      high = std::max(high, std::min(own.high, block.high));
    }
    if (low > high)
      return std::nullopt;  // all rules reach over the block
    const Block cut_block =
        low == high ? Block{low & ~std::uint64_t{1}, 1} : block_around(low, high);
    std::optional<Cut> finest;
    for (unsigned log2 = 1; log2 <= std::min(cut_block.bits, kMostPartsLog2); ++log2) {
      Cut cut{field, cut_block.bits - log2, log2, cut_block, 0, 0};
      count_children(block, rules, cut);
      if (finest && cut.rules_of_children + cut.parts() > limits_.spfac * rules.size())
        break;
      finest = cut;
    }
    return finest;
  }

  void count_children(const Range& block, const LeafRules& rules, Cut& cut) const {
    std::vector<std::int64_t> changes(cut.parts() + 1);
    const std::uint64_t last_value = cut.block.part(cut.parts() - 1, cut.shift).high;
    for (const std::uint32_t rule : rules) {
      const Range& own = range(rule, cut.field);
      const std::uint64_t low = std::max({own.low, block.low, cut.block.first});
      const std::uint64_t high = std::min({own.high, block.high, last_value});
      if (low > high)
        continue;
      const bool is_whole = contains(own, block);
      ++changes[is_whole ? 0 : (low - cut.block.first) >> cut.shift];
      --changes[is_whole ? cut.parts() : ((high - cut.block.first) >> cut.shift) + 1];
    }
    std::int64_t inside = 0;
    for (std::size_t part = 0; part < cut.parts(); ++part) {
      inside += changes[part];
      cut.largest_child = std::max(cut.largest_child, static_cast<std::size_t>(inside));
      cut.rules_of_children += static_cast<std::size_t>(inside);
    }
  }

  std::size_t leaf_of(const LeafRules& rules) {
    tree_.largest_leaf = std::max(tree_.largest_leaf, rules.size());
    return leaves_.number_of(rules);
  }

  const workloads::RuleSet& rules_;
  const TreeLimits limits_;
  Tree tree_;
  LeafSet leaves_;
  bool is_given_up_ = false;
};

}  // namespace

std::optional<Tree> make_tree(const workloads::RuleSet& rules, const TreeLimits& limits) {
  return TreeBuilder(rules, limits).build();
}

}  // namespace nplab::mappings::hicuts
