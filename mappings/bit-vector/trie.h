// The tries of a bit vector's P-sets in memory (layout.h).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "mappings/tables/table_builder.h"

namespace nplab::mappings::bit_vector {

struct TrieShape {
  unsigned stride = 1;  // bits of the field a level
  std::uint32_t node_bytes = 0;
  bool has_full_depth =
      false;  // every path has all levels; otherwise it ends where one interval is left
};

// The intervals of one dimension: where each begins, ascending, the first at 0, and the address
// that its leaves give.
struct TrieIntervals {
  std::vector<std::uint64_t> lows;
  std::vector<std::uint32_t> addresses;
};

class TrieWriter {
 public:
  // `image` outlives the writer. The roots of all dimensions stand first.
  TrieWriter(const TablePlace& place, const TrieShape& shape, std::size_t dimensions,
             MemoryImage& image);

  void write(std::size_t dimension, unsigned field_bits, const TrieIntervals& intervals);

  // Of all dimensions written so far.
  [[nodiscard]] std::size_t nodes() const { return nodes_; }

 private:
  // A part of an axis that a node or an entry stands for: the values that begin with the bits of
  // `first`. `free_bits` follow them; the lowest `padding` of the trie's bits lie below the field
  // and are 0 in every key.
  struct Block {
    const TrieIntervals& intervals;
    std::uint64_t first;
    unsigned free_bits;
    unsigned padding;
  };

  static std::size_t interval_at(const Block& block, std::uint64_t value);
  void put_node(std::size_t node, const Block& block);
  std::uint32_t entry_of(const Block& block);
  std::uint32_t uniform_node(std::size_t interval, const Block& block);
  [[nodiscard]] std::uint32_t node_address(std::size_t node) const;

  const TablePlace place_;
  const TrieShape shape_;
  MemoryImage& image_;
  std::size_t nodes_;
  std::map<std::pair<std::size_t, unsigned>, std::size_t>
      uniform_;  // by interval of the dimension and free bits
};

}  // namespace nplab::mappings::bit_vector
