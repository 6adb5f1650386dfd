// The tries of a bit vector's P-sets (layout.h): made without addresses, so that their size is
// known before they have a place, and then written where they lie.
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

// Which of several records a leaf leads to.
using LeafNumber = std::uint32_t;

// The intervals of one dimension: where each begins, ascending, the first at 0, and the record to
// which its leaves lead.
struct TrieIntervals {
  std::vector<std::uint64_t> lows;
  std::vector<LeafNumber> leaves;
};

class TrieSet {
 public:
  // The roots of all dimensions stand first.
  TrieSet(const TrieShape& shape, std::size_t dimensions);

  void add(std::size_t dimension, unsigned field_bits, const TrieIntervals& intervals);

  // Of all dimensions added so far.
  [[nodiscard]] std::size_t nodes() const { return entries_.size() >> shape_.stride; }

  // `leaf_addresses` by leaf number.
  void write(const TablePlace& place, const std::vector<std::uint32_t>& leaf_addresses,
             MemoryImage& image) const;

 private:
  // What an entry leads to: a node, or a leaf.
  struct Entry {
    bool is_leaf = true;
    std::uint32_t number = 0;
  };
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
  std::uint32_t add_node();
  void fill_node(std::uint32_t node, const Block& block);
  Entry entry_of(const Block& block);
  std::uint32_t uniform_node(std::size_t interval, const Block& block);

  const TrieShape shape_;
  std::vector<Entry> entries_;  // by node, 2^stride each
  std::map<std::pair<std::size_t, unsigned>, std::uint32_t>
      uniform_;  // by interval of the dimension and free bits
};

}  // namespace nplab::mappings::bit_vector
