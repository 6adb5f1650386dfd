#include "range_trees.h"

#include <algorithm>

#include "layout.h"

namespace nplab::mappings::many_field {

std::uint32_t RangeTrees::add_node() {
  nodes_.emplace_back();
  return static_cast<std::uint32_t>(nodes_.size() - 1);
}

unsigned RangeTrees::add(std::uint32_t field, const Cells& cells,
                         const std::vector<CellSpace>& spaces) {
  Spaces links{spaces, std::vector<std::uint32_t>(spaces.size()),
               std::vector<unsigned>(spaces.size())};
  return fill(field, cells, 0, cells.lows.size(), links);
}

unsigned RangeTrees::fill(std::uint32_t at, const Cells& cells, std::size_t first, std::size_t end,
                          Spaces& spaces) {
  if (end - first == 1) {  // nothing to compare: both ways lead to the same
    const Subtree only = link_to(cells.targets[first], spaces);
    nodes_[at].left = nodes_[at].right = only.link;
    return 1 + only.levels;
  }
  const std::size_t middle = first + (end - first) / 2;
  const Subtree left = make(cells, first, middle, spaces);
  const Subtree right = make(cells, middle, end, spaces);
  nodes_[at] = {cells.lows[middle], left.link, right.link, false};
  return 1 + std::max(left.levels, right.levels);
}

RangeTrees::Subtree RangeTrees::make(const Cells& cells, std::size_t first, std::size_t end,
                                     Spaces& spaces) {
  if (end - first == 1)
    return link_to(cells.targets[first], spaces);
  const std::uint32_t node = add_node();
  const unsigned levels = fill(node, cells, first, end, spaces);
  return {{Link::Kind::kNode, node}, levels};
}

RangeTrees::Subtree RangeTrees::link_to(CellTarget target, Spaces& spaces) {
  if (target.kind == CellTarget::Kind::kVector)
    return {{Link::Kind::kVector, target.number}, 0};
  const std::size_t space = target.number;
  if (spaces.masks[space] == 0) {
    const std::uint32_t node = add_node();
    spaces.masks[space] = node;
    const CellSpace& below = spaces.spaces[space];
    const Subtree rest = make(below.cells, 0, below.cells.lows.size(), spaces);
    nodes_[node] = {below.mask, rest.link, {}, true};
    spaces.levels[space] = 1 + rest.levels;
  }
  return {{Link::Kind::kMask, spaces.masks[space]}, spaces.levels[space]};
}

void RangeTrees::write(const TablePlace& place, std::uint32_t vectors, std::uint32_t vector_bytes,
                       MemoryImage& image) const {
  const auto word_of = [&](const Link& link) {
    const std::uint32_t node = place.base + TREE_NODE_BYTES * link.number;
    switch (link.kind) {
      case Link::Kind::kNode: return node;
      case Link::Kind::kMask: return node | LINK_MASK;
      case Link::Kind::kVector: break;
    }
    return LINK_LEAF | (link.number == 0 ? 0 : vectors + vector_bytes * (link.number - 1));
  };
  std::uint32_t at = place.base;
  for (const Node& node : nodes_) {
    image.put_longword(place.space, at, static_cast<std::uint32_t>(node.key >> 32));
    image.put_longword(place.space, at + 4, static_cast<std::uint32_t>(node.key));
    image.put_longword(place.space, at + 8, word_of(node.left));
    image.put_longword(place.space, at + 12, node.is_mask ? 0 : word_of(node.right));
    at += TREE_NODE_BYTES;
  }
}

}  // namespace nplab::mappings::many_field
