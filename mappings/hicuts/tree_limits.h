// The size that decision trees are kept to: which settings a builder tries, and what it reports if
// none gives a tree that is small enough.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace nplab::mappings::hicuts {

// The one value that the mapping sets, or if it is 0 those to try, one after another.
inline std::vector<std::size_t> settings(std::size_t chosen, std::vector<std::size_t> defaults) {
  return chosen != 0 ? std::vector{chosen} : std::move(defaults);
}

// Rules per leaf: from small leaves to large ones.
inline std::vector<std::size_t> binth_settings(std::size_t chosen) {
  return settings(chosen, {8, 16, 32, 64, 128});
}

// `trees`: which trees have them, as in "the tree of 5 rules has"; `tried`: the last settings;
// `advice`: what else helps, with "and" at its end.
inline std::string too_many_nodes(const std::string& trees, std::size_t most_nodes,
                                  std::size_t node_bytes, const std::string& tried,
                                  const std::string& advice = "") {
  return fmt::format(
      "the rule set is too large: {} more than {} nodes = {} bytes, even with {}; {}the parameter "
      "most_nodes allows more",
      trees, most_nodes, most_nodes * node_bytes, tried, advice);
}

}  // namespace nplab::mappings::hicuts
