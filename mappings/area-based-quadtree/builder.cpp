// Builds the area-based quadtree (layout.h): Buddhikot, Suri and Waldvogel, "Space decomposition
// techniques for fast layer-4 switching", Protocols for High-Speed Networks 1999.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "layout.h"
#include "mappings/grid-of-tries/list_tries.h"
#include "mappings/grid-of-tries/trie_tables.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings {
namespace {

using tries::kNone;
using tries::ListTries;
using tries::Place;
using tries::Prefix;

// An area: packets whose fields 0 and 1 begin with given bits, equally many of each.
struct Quad {
  std::array<std::size_t, 4> children = {kNone, kNone, kNone, kNone};
  unsigned level = 0;
  std::vector<Place> spanning_first;   // rules of all values of field 0 here, by field 1
  std::vector<Place> spanning_second;  // of all values of field 1 and a part of those of field 0
};

class QuadtreeBuilder final : public TableBuilder {
 public:
  explicit QuadtreeBuilder(const BuildInputs& inputs)
      : rules_(inputs.rules),
        most_nodes_(static_cast<std::size_t>(inputs.parameter("most_nodes"))),
        tries_(rules_, most_nodes_),
        quads_(1) {}

  std::vector<TableSize> size(Diagnostics& diagnostics) override {
    for (std::uint32_t rule = 0; rule < rules_.size() && quads_.size() <= most_nodes_; ++rule)
      add_rule(rule);
    if (quads_.size() <= most_nodes_)
      add_tries();
    if (quads_.size() > most_nodes_ || tries_.is_too_large()) {
      diagnostics.error({rules_.name(), 0, 0}, tries::too_many_nodes(rules_.size(), most_nodes_));
      return {};
    }
    tries_.finish();
    return {{"quads", quads_.size() * QUAD_BYTES,
             fmt::format("{} areas x {} bytes", quads_.size(), QUAD_BYTES)},
            tries_.nodes_size("tries"),
            tries::lists_size("lists", tries_.lists()),
            hicuts::rules_size("rules", rules_)};
  }

  TableContents write(const TablePlaces& places) override {
    MemoryImage image;
    const TablePlace& quads = places.at("quads");
    const TablePlace& tries = places.at("tries");
    for (std::size_t i = 0; i < quads_.size(); ++i) {
      const std::uint32_t at = address_of(i, quads);
      for (std::uint32_t child = 0; child < 4; ++child)
        image.put_longword(quads.space, at + 4 * child,
                           address_of(quads_[i].children[child], quads));
      image.put_longword(quads.space, at + 4 * QUAD_SPANS_FIRST,
                         ListTries::address_of(roots_[i][0], tries));
      image.put_longword(quads.space, at + 4 * QUAD_SPANS_SECOND,
                         ListTries::address_of(roots_[i][1], tries));
      image.put_longword(quads.space, at + 24, 0);
      image.put_longword(quads.space, at + 28, 0);
    }
    tries_.write(tries, places.at("lists"), image);
    hicuts::write_rules(rules_, places.at("rules"), image);
    return {std::move(image), {{"areas", quads_.size()}, {"trie_nodes", tries_.nodes()}}};
  }

 private:
  static std::uint32_t address_of(std::size_t quad, const TablePlace& place) {
    return quad == kNone ? 0 : place.base + static_cast<std::uint32_t>(quad) * QUAD_BYTES;
  }

  void add_rule(std::uint32_t rule) {
    const auto seconds = tries::prefixes_of(rules_, rule, 1);
    for (const Prefix& first : tries::prefixes_of(rules_, rule, 0)) {
      for (const Prefix& second : seconds)
        add_area(first, second, rule);
    }
  }

  // In the smallest area that contains it.
  void add_area(const Prefix& first, const Prefix& second, std::uint32_t rule) {
    std::size_t node = 0;
    const unsigned level = std::min(first.length, second.length);
    for (unsigned i = 0; i < level; ++i) {
      const unsigned child = QUAD_CHILD(first.bit(i), second.bit(i));
      if (quads_[node].children[child] == kNone) {
        const std::size_t added = quads_.size();
        quads_[node].children[child] = added;
        quads_.emplace_back().level = i + 1;
      }
      node = quads_[node].children[child];
    }
    if (first.length == level)
      quads_[node].spanning_first.push_back({second, rule});
    else
      quads_[node].spanning_second.push_back({first, rule});
  }

  void add_tries() {
    const auto add = [&](const std::vector<Place>& places, unsigned level) {
      return places.empty() ? kNone : tries_.add(places, level);
    };
    for (const Quad& quad : quads_)
      roots_.push_back(
          {add(quad.spanning_first, quad.level), add(quad.spanning_second, quad.level)});
  }

  const workloads::RuleSet& rules_;
  const std::size_t most_nodes_;
  ListTries tries_;
  std::vector<Quad> quads_;
  std::vector<std::array<std::size_t, 2>> roots_;  // of both tries, by area
};

}  // namespace

std::unique_ptr<TableBuilder> make_area_based_quadtree_builder(const BuildInputs& inputs) {
  return std::make_unique<QuadtreeBuilder>(inputs);
}

}  // namespace nplab::mappings
