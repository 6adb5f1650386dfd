#include "trie_tables.h"

#include <fmt/format.h>

#include <optional>

#include "layout.h"

namespace nplab::mappings::tries {
namespace {

class TrieTables final : public TableBuilder {
 public:
  TrieTables(TrieKind kind, const BuildInputs& inputs)
      : kind_(kind),
        rules_(inputs.rules),
        most_nodes_(static_cast<std::size_t>(inputs.parameter("most_nodes"))) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    tries_.emplace(make_tries(rules_, kind_, most_nodes_));
    if (!tries_->is_complete) {
      diagnostics.error({rules_.name(), 0, 0}, too_many_nodes(rules_.size(), most_nodes_));
      return {};
    }
    return {{"sources", tries_->sources.size() * SOURCE_BYTES,
             fmt::format("{} nodes x {} bytes", tries_->sources.size(), SOURCE_BYTES)},
            tries_->lists.nodes_size("tries"),
            lists_size("lists", tries_->lists.lists()),
            hicuts::rules_size("rules", rules_)};
  }

  TableContents write(const TablePlaces& places) override {
    MemoryImage image;
    write_sources(places.at("sources"), places.at("tries"), image);
    tries_->lists.write(places.at("tries"), places.at("lists"), image);
    hicuts::write_rules(rules_, places.at("rules"), image);
    std::map<std::string, std::uint64_t> facts{{"source_nodes", tries_->sources.size()},
                                               {"trie_nodes", tries_->lists.nodes()}};
    if (kind_ == TrieKind::kGrid)
      facts["switch_pointers"] = tries_->lists.switch_pointers();
    return {std::move(image), std::move(facts)};
  }

 private:
  void write_sources(const TablePlace& place, const TablePlace& tries, MemoryImage& image) const {
    const auto address_of = [&](std::size_t node) {
      return node == kNone ? 0 : place.base + static_cast<std::uint32_t>(node) * SOURCE_BYTES;
    };
    for (std::size_t i = 0; i < tries_->sources.size(); ++i) {
      const SourceNode& node = tries_->sources[i];
      const std::uint32_t at = address_of(i);
      image.put_longword(place.space, at, address_of(node.children[0]));
      image.put_longword(place.space, at + 4, address_of(node.children[1]));
      image.put_longword(place.space, at + 4 * SOURCE_TRIE,
                         ListTries::address_of(node.trie, tries));
      image.put_longword(place.space, at + 4 * (SOURCE_TRIE + 1), 0);
    }
  }

  const TrieKind kind_;
  const workloads::RuleSet& rules_;
  const std::size_t most_nodes_;
  std::optional<Tries> tries_;
};

}  // namespace

std::string too_many_nodes(std::size_t rules, std::size_t most_nodes) {
  return fmt::format(
      "the rule set is too large: the tries of {} rules have more than {} nodes x {} bytes; the "
      "parameter most_nodes allows more",
      rules, most_nodes, LIST_NODE_BYTES);
}

std::unique_ptr<TableBuilder> make_trie_builder(TrieKind kind, const BuildInputs& inputs) {
  return std::make_unique<TrieTables>(kind, inputs);
}

}  // namespace nplab::mappings::tries
