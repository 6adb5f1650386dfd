#include "tries.h"

#include <utility>

namespace nplab::mappings::tries {
namespace {

class Builder {
 public:
  Builder(const workloads::RuleSet& rules, TrieKind kind, std::size_t most_nodes)
      : rules_(rules), kind_(kind), most_nodes_(most_nodes), tries_{{}, {rules, most_nodes}} {}

  Tries build() {
    add_source_node();
    for (std::uint32_t rule = 0; rule < rules_.size() && !is_too_large(); ++rule)
      add_rule(rule);
    make_lists(0, kNone, {});
    tries_.is_complete = !is_too_large();
    if (tries_.is_complete)
      tries_.lists.finish();
    return std::move(tries_);
  }

 private:
  [[nodiscard]] bool is_too_large() const {
    return tries_.sources.size() + tries_.lists.nodes() > most_nodes_;
  }

  std::size_t add_source_node() {
    tries_.sources.emplace_back();
    places_.emplace_back();
    return tries_.sources.size() - 1;
  }

  void add_rule(std::uint32_t rule) {
    const auto seconds = prefixes_of(rules_, rule, 1);
    for (const Prefix& first : prefixes_of(rules_, rule, 0)) {
      std::size_t node = 0;
      for (unsigned level = 0; level < first.length; ++level) {
        const unsigned bit = first.bit(level);
        if (tries_.sources[node].children[bit] == kNone) {
          const std::size_t child = add_source_node();
          tries_.sources[node].children[bit] = child;
        }
        node = tries_.sources[node].children[bit];
      }
      for (const Prefix& second : seconds)
        places_[node].push_back({second, rule});
    }
  }

  // The tries of a source node and of all below it. `above`: the trie of the next shorter prefix
  // that has one; `inherited`: the places of all shorter prefixes.
  void make_lists(std::size_t source, std::size_t above, std::vector<Place> inherited) {
    if (is_too_large())
      return;
    std::vector<Place> places = places_[source];
    if (!places.empty()) {
      if (kind_ == TrieKind::kSetPruning) {
        places.insert(places.end(), inherited.begin(), inherited.end());
        inherited = places;
      }
      const std::size_t root = tries_.lists.add(places);
      if (kind_ == TrieKind::kGrid && above != kNone)
        tries_.lists.join(root, above);
      tries_.sources[source].trie = root;
      above = root;
    }
    for (const std::size_t child : tries_.sources[source].children) {
      if (child != kNone)
        make_lists(child, above, inherited);
    }
  }

  const workloads::RuleSet& rules_;
  const TrieKind kind_;
  const std::size_t most_nodes_;
  Tries tries_;
  std::vector<std::vector<Place>> places_;  // by source node: the rules of its own prefix
};

}  // namespace

Tries make_tries(const workloads::RuleSet& rules, TrieKind kind, std::size_t most_nodes) {
  return Builder(rules, kind, most_nodes).build();
}

}  // namespace nplab::mappings::tries
