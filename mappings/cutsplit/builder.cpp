// Builds the trees of CutSplit, their leaves and the rules' records (layout.h).
#include <fmt/format.h>

#include "forest.h"
#include "layout.h"
#include "mappings/hicuts/leaves.h"
#include "mappings/hicuts/tree_limits.h"
#include "mappings/include/verdict.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {
namespace {

using cutsplit::Node;

class ForestBuilder final : public TableBuilder {
 public:
  explicit ForestBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        binth_(static_cast<std::size_t>(inputs.parameter("binth"))),
        limits_{0, static_cast<unsigned>(inputs.parameter("small_bits")),
                static_cast<unsigned>(inputs.parameter("cut_bits")),
                static_cast<std::size_t>(inputs.parameter("most_nodes"))} {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    if (!make_fitting_forest()) {
      diagnostics.error(
          {rules_.name(), 0, 0},
          hicuts::too_many_nodes(fmt::format("the trees of {} rules have", rules_.size()),
                                 limits_.most_nodes, NODE_BYTES,
                                 fmt::format("binth {}", limits_.binth)));
      return {};
    }
    return {{"trees", (forest_.roots.size() + 1) * TREE_BYTES,
             fmt::format("{} trees and an end x {} bytes", forest_.roots.size(), TREE_BYTES)},
            {"tree", forest_.nodes.size() * NODE_BYTES,
             fmt::format("{} nodes of {} levels x {} bytes, binth {}", forest_.nodes.size(),
                         forest_.depth, NODE_BYTES, limits_.binth)},
            hicuts::leaves_size("leaves", forest_.leaves),
            hicuts::rules_size("rules", rules_)};
  }

  TableContents write(const TablePlaces& places) override {
    tree_ = places.at("tree");
    leaf_addresses_ = hicuts::write_leaves(forest_.leaves, places.at("leaves"), image_);
    for (std::size_t i = 0; i < forest_.nodes.size(); ++i) {
      const auto [node, place] = longwords_of(forest_.nodes[i]);
      image_.put_longword(tree_.space, address_of(i), node);
      image_.put_longword(tree_.space, address_of(i) + 4, place);
    }
    write_trees(places.at("trees"));
    hicuts::write_rules(rules_, places.at("rules"), image_);
    return {std::move(image_),
            {{"binth", limits_.binth},
             {"trees", forest_.roots.size()},
             {"tree_nodes", forest_.nodes.size()},
             {"cut_nodes", forest_.cut_nodes},
             {"tree_levels", forest_.depth}}};
  }

 private:
  // The first trees that have at most most_nodes, from small leaves to large ones.
  bool make_fitting_forest() {
    for (const std::size_t binth : hicuts::binth_settings(binth_)) {
      limits_.binth = binth;
      if (auto forest = cutsplit::make_forest(rules_, limits_)) {
        forest_ = std::move(*forest);
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::uint32_t address_of(std::size_t node) const {
    return tree_.base + static_cast<std::uint32_t>(node) * NODE_BYTES;
  }

  [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> longwords_of(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::kSplit:
        return {address_of(node.first_child) | node.field, static_cast<std::uint32_t>(node.value)};
      case Node::Kind::kCut:
        return {CUT_OF(node.field, node.shift, node.mask), address_of(node.first_child)};
      case Node::Kind::kLeaf: break;
    }
    const auto rules = static_cast<std::uint32_t>(forest_.leaves[node.leaf].size());
    return {SPLIT_LEAF_OF(rules), leaf_addresses_[node.leaf]};
  }

  void write_trees(const TablePlace& place) {
    std::uint32_t at = place.base;
    const auto put = [&](std::uint32_t value) {
      image_.put_longword(place.space, at, value);
      at += 4;
    };
    for (std::size_t i = 0; i < forest_.roots.size(); ++i) {
      const auto [node, children] = longwords_of(forest_.nodes[forest_.roots[i]]);
      for (const std::uint32_t value : {node, children, forest_.first_rules[i], 0u})
        put(value);
    }
    for (const std::uint32_t value : {SPLIT_LEAF, 0u, NO_MATCH, 0u})
      put(value);
  }

  const workloads::RuleSet& rules_;
  const std::size_t binth_;  // 0: chosen here
  cutsplit::ForestLimits limits_;
  cutsplit::Forest forest_;
  TablePlace tree_;
  std::vector<std::uint32_t> leaf_addresses_;
  MemoryImage image_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_cutsplit_builder(const BuildInputs& inputs) {
  return std::make_unique<ForestBuilder>(inputs);
}

}  // namespace nplab::mappings
