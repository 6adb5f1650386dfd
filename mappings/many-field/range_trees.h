// Balanced binary trees over the cells of searches (layout.h).
#pragma once

#include <cstdint>
#include <vector>

#include "cells.h"
#include "mappings/tables/table_builder.h"

namespace nplab::mappings::many_field {

class RangeTrees {
 public:
  // The roots of all fields stand first.
  explicit RangeTrees(std::size_t fields) : nodes_(fields) {}

  // The tree of the search of that field: how many nodes the longest way through it has.
  unsigned add(std::uint32_t field, const Cells& cells, const std::vector<CellSpace>& spaces);

  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  // `vectors`: the place of vector 1; `vector_bytes` each.
  void write(const TablePlace& place, std::uint32_t vectors, std::uint32_t vector_bytes,
             MemoryImage& image) const;

 private:
  struct Link {
    enum class Kind { kVector, kNode, kMask };
    Kind kind = Kind::kVector;
    std::uint32_t number = 0;
  };
  struct Node {
    std::uint64_t key = 0;  // or the mask
    Link left, right;       // a mask has the left one alone
    bool is_mask = false;
  };
  // What links to the spaces of one search; made when first needed.
  struct Spaces {
    const std::vector<CellSpace>& spaces;
    std::vector<std::uint32_t> masks;  // nodes, by space; 0: none
    std::vector<unsigned> levels;      // from the mask's node on
  };
  struct Subtree {
    Link link;
    unsigned levels = 0;
  };

  std::uint32_t add_node();
  // Of the cells from `first` to before `end`; the root is `at` when there is one.
  Subtree make(const Cells& cells, std::size_t first, std::size_t end, Spaces& spaces);
  unsigned fill(std::uint32_t at, const Cells& cells, std::size_t first, std::size_t end,
                Spaces& spaces);
  Subtree link_to(CellTarget target, Spaces& spaces);

  std::vector<Node> nodes_;
};

}  // namespace nplab::mappings::many_field
