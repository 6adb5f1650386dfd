// Builds the tree of HiCuts, its leaves and the rule records (layout.h).
#include <fmt/format.h>

#include <optional>

#include "layout.h"
#include "leaves.h"
#include "mappings/tables/table_builder.h"
#include "tree.h"
#include "tree_limits.h"

namespace nplab::mappings {
namespace {

class TreeBuilder final : public TableBuilder {
 public:
  explicit TreeBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        binth_(static_cast<std::size_t>(inputs.parameter("binth"))),
        spfac_(static_cast<std::size_t>(inputs.parameter("spfac"))),
        limits_{0, 0, static_cast<std::size_t>(inputs.parameter("most_nodes"))} {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    if (!make_fitting_tree()) {
      report_size(diagnostics);
      return {};
    }
    return {{"tree", tree_.nodes.size() * ENTRY_BYTES,
             fmt::format("{} nodes of {} levels x {} bytes, binth {}, spfac {}", tree_.nodes.size(),
                         tree_.depth, ENTRY_BYTES, limits_.binth, limits_.spfac)},
            hicuts::leaves_size("leaves", tree_.leaves),
            hicuts::rules_size("rules", rules_)};
  }

  TableContents write(const TablePlaces& places) override {
    nodes_at_ = places.at("tree");
    leaf_addresses_ = hicuts::write_leaves(tree_.leaves, places.at("leaves"), image_);
    for (std::size_t i = 0; i < tree_.nodes.size(); ++i)
      write_node(i);
    hicuts::write_rules(rules_, places.at("rules"), image_);
    return {std::move(image_),
            {{"binth", limits_.binth},
             {"spfac", limits_.spfac},
             {"tree_nodes", tree_.nodes.size()},
             {"tree_levels", tree_.depth},
             {"largest_leaf", tree_.largest_leaf}}};
  }

 private:
  // The first tree that has at most most_nodes, from small leaves to large ones. Of a setting that
  // the user chose no other is tried.
  bool make_fitting_tree() {
    for (const std::size_t binth : hicuts::binth_settings(binth_)) {
      for (const std::size_t spfac : hicuts::settings(spfac_, {4, 2, 1})) {
        limits_.binth = binth;
        limits_.spfac = spfac;
        if (auto tree = hicuts::make_tree(rules_, limits_)) {
          tree_ = std::move(*tree);
          return true;
        }
      }
    }
    return false;
  }

  // `limits_` are those that were tried last.
  void report_size(Diagnostics& diagnostics) const {
    const bool chosen = binth_ != 0 || spfac_ != 0;
    diagnostics.error(
        {rules_.name(), 0, 0},
        hicuts::too_many_nodes(fmt::format("the tree of {} rules has", rules_.size()),
                               limits_.most_nodes, ENTRY_BYTES,
                               fmt::format("binth {} and spfac {}", limits_.binth, limits_.spfac),
                               chosen ? "binth 0 and spfac 0 try other settings, and " : ""));
  }

  void write_node(std::size_t number) {
    const hicuts::Node& node = tree_.nodes[number];
    const std::uint32_t at = node_address(number);
    if (node.is_leaf) {
      const auto count = static_cast<std::uint32_t>(tree_.leaves[node.leaf].size());
      put(nodes_at_, at + 4 * ENTRY_CUT, CUT(CUT_LEAF, 0, count));
      put(nodes_at_, at + 4 * ENTRY_PLACE, leaf_addresses_[node.leaf]);
    } else {
      put(nodes_at_, at + 4 * ENTRY_CUT, CUT(node.field, node.shift, node.mask));
      put(nodes_at_, at + 4 * ENTRY_PLACE, node_address(node.first_child));
    }
  }

  [[nodiscard]] std::uint32_t node_address(std::size_t number) const {
    return nodes_at_.base + static_cast<std::uint32_t>(number) * ENTRY_BYTES;
  }

  void put(const TablePlace& place, std::uint32_t address, std::uint32_t value) {
    image_.put_longword(place.space, address, value);
  }

  const workloads::RuleSet& rules_;
  const std::size_t binth_, spfac_;  // 0: chosen here
  hicuts::TreeLimits limits_;
  hicuts::Tree tree_;
  TablePlace nodes_at_;
  std::vector<std::uint32_t> leaf_addresses_;
  MemoryImage image_;
};

}  // namespace

std::unique_ptr<TableBuilder> make_hicuts_builder(const BuildInputs& inputs) {
  return std::make_unique<TreeBuilder>(inputs);
}

}  // namespace nplab::mappings
