// Builds the tree of HyperSplit, its leaves and the rules' records (layout.h).
#include <fmt/format.h>

#include "layout.h"
#include "mappings/hicuts/leaves.h"
#include "mappings/hicuts/tree_limits.h"
#include "mappings/tables/table_builder.h"
#include "split_tree.h"

namespace nplab::mappings {
namespace {

class SplitTreeBuilder final : public TableBuilder {
 public:
  explicit SplitTreeBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        binth_(static_cast<std::size_t>(inputs.parameter("binth"))),
        most_nodes_(static_cast<std::size_t>(inputs.parameter("most_nodes"))) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    if (!make_fitting_tree()) {
      diagnostics.error(
          {rules_.name(), 0, 0},
          hicuts::too_many_nodes(fmt::format("the tree of {} rules has", rules_.size()),
                                 most_nodes_, NODE_BYTES, fmt::format("binth {}", used_binth_)));
      return {};
    }
    return {{"tree", tree_.nodes.size() * NODE_BYTES,
             fmt::format("{} nodes of {} levels x {} bytes, binth {}", tree_.nodes.size(),
                         tree_.depth, NODE_BYTES, used_binth_)},
            hicuts::leaves_size("leaves", tree_.leaves),
            hicuts::rules_size("rules", rules_)};
  }

  TableContents write(const TablePlaces& places) override {
    MemoryImage image;
    const TablePlace& tree = places.at("tree");
    const auto leaf_addresses = hicuts::write_leaves(tree_.leaves, places.at("leaves"), image);
    std::uint32_t at = tree.base;
    for (const hypersplit::Node& node : tree_.nodes) {
      const std::uint32_t children =
          tree.base + NODE_BYTES * static_cast<std::uint32_t>(node.first_child);
      const std::uint32_t cut =
          node.is_leaf ? SPLIT_LEAF_OF(leaf_size(node)) : children | node.field;
      const std::uint32_t value =
          node.is_leaf ? leaf_addresses[node.leaf] : static_cast<std::uint32_t>(node.value);
      image.put_longword(tree.space, at + 4 * NODE_CUT, cut);
      image.put_longword(tree.space, at + 4 * NODE_VALUE, value);
      at += NODE_BYTES;
    }
    hicuts::write_rules(rules_, places.at("rules"), image);
    return {std::move(image),
            {{"binth", used_binth_},
             {"tree_nodes", tree_.nodes.size()},
             {"tree_levels", tree_.depth},
             {"largest_leaf", tree_.largest_leaf}}};
  }

 private:
  // The first tree that has at most most_nodes, from small leaves to large ones.
  bool make_fitting_tree() {
    for (const std::size_t binth : hicuts::binth_settings(binth_)) {
      used_binth_ = binth;
      if (auto tree = hypersplit::make_tree(rules_, hicuts::all_rules(rules_),
                                            hicuts::whole_box(rules_), {binth, most_nodes_})) {
        tree_ = std::move(*tree);
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::uint32_t leaf_size(const hypersplit::Node& node) const {
    return static_cast<std::uint32_t>(tree_.leaves[node.leaf].size());
  }

  const workloads::RuleSet& rules_;
  const std::size_t binth_;  // 0: chosen here
  const std::size_t most_nodes_;
  std::size_t used_binth_ = 0;
  hypersplit::Tree tree_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_hypersplit_builder(const BuildInputs& inputs) {
  return std::make_unique<SplitTreeBuilder>(inputs);
}

}  // namespace nplab::mappings
